# aisp_embed(FUNCTION name BASE directory FILES file... [GZIP]): compiles files into aisp_server as a table that
# aisp::server::<name>() returns (aisp/server/embedded.h). The assembler includes the bytes: a megabyte costs nothing to
# compile. GZIP adds a compressed form of each, made in the build.
function(aisp_embed)
  cmake_parse_arguments(ARG "GZIP" "FUNCTION;BASE" "FILES" ${ARGN})
  set(folder ${PROJECT_BINARY_DIR}/generated/${ARG_FUNCTION})
  file(MAKE_DIRECTORY ${folder})
  set(assembly "")
  set(declarations "")
  set(entries "")
  set(included "")
  set(number 0)
  foreach(file IN LISTS ARG_FILES)
    file(RELATIVE_PATH path ${ARG_BASE} ${file})
    set(symbol aisp_${ARG_FUNCTION}_${number})
    set(forms ${symbol})
    list(APPEND included ${file})
    set(${symbol}_file ${file})
    if(ARG_GZIP)
      set(packed ${folder}/${number}.gz)
      add_custom_command(
        OUTPUT ${packed}
        COMMAND gzip -9 -n -c ${file} > ${packed}
        DEPENDS ${file}
        VERBATIM)
      list(APPEND forms ${symbol}_gz)
      list(APPEND included ${packed})
      set(${symbol}_gz_file ${packed})
    endif()
    set(entry "{\"${path}\"")
    foreach(form IN LISTS forms)
      string(APPEND assembly "    \".globl ${form}\\n${form}:\\n.incbin \\\"${${form}_file}\\\"\\n\"\n"
             "    \".globl ${form}_end\\n${form}_end:\\n\"\n")
      string(APPEND declarations "extern const char ${form}[], ${form}_end[];\n")
      string(APPEND entry ", {${form}, static_cast<std::size_t>(${form}_end - ${form})}")
    endforeach()
    string(APPEND entries "      Embedded${entry}},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  set(source ${folder}/table.cpp)
  file(
    CONFIGURE
    OUTPUT
    ${source}
    CONTENT
    "// Written by cmake/AispEmbed.cmake.
#include \"aisp/server/embedded.h\"

#include <vector>

asm(\".section .rodata\\n\"
@assembly@    \".previous\\n\");
extern \"C\" {
@declarations@}

namespace aisp::server {

std::span<const Embedded> @ARG_FUNCTION@() {
  static const std::vector<Embedded> files{
@entries@  };
  return files;
}

}  // namespace aisp::server
"
    @ONLY)
  target_sources(aisp_server PRIVATE ${source})
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${included}")
endfunction()

# The dashboard as web/ built it. Without it the server says so.
file(GLOB_RECURSE dashboard CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/dist/*)
aisp_embed(FUNCTION dashboard_files BASE ${PROJECT_SOURCE_DIR}/web/dist FILES ${dashboard} GZIP)

# What a workload's page shows beside its numbers.
file(GLOB workload_texts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/workloads/*/*.cpp
     ${PROJECT_SOURCE_DIR}/workloads/*/*.h ${PROJECT_SOURCE_DIR}/workloads/*/*.cu ${PROJECT_SOURCE_DIR}/workloads/*/*.cuh
     ${PROJECT_SOURCE_DIR}/labs/*/*.h ${PROJECT_SOURCE_DIR}/labs/*/*.cu ${PROJECT_SOURCE_DIR}/labs/*/*.cuh)
aisp_embed(FUNCTION workload_sources BASE ${PROJECT_SOURCE_DIR} FILES ${workload_texts})
