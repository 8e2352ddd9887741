# Language level, warnings, optimisation and instrumentation for everything in the tree.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# The product spends its time waiting for workers and in SQLite: -O2 builds faster and loses nothing. What is
# measured, workloads and ceilings, asks for -O3 itself.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

find_package(Threads REQUIRED)

add_library(aisp_options INTERFACE)
target_include_directories(aisp_options INTERFACE ${PROJECT_SOURCE_DIR})
set(aisp_warnings -Wall -Wextra -Wshadow -Wno-missing-field-initializers
                  # False alarms of g++ 12, and of clang about the C++ library itself.
                  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
                  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>
                  $<$<BOOL:${AISP_WERROR}>:-Werror>)
target_compile_options(aisp_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${aisp_warnings}>")
# Paths in messages, registrations and debug information start at the repository: what is handed out does not say where
# it was built. Not -ffile-prefix-map, which would also hide the sources from gcov.
target_compile_options(aisp_options INTERFACE -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=
                                              -fdebug-prefix-map=${PROJECT_SOURCE_DIR}/=)
target_link_libraries(aisp_options INTERFACE Threads::Threads ${CMAKE_DL_LIBS})

if(AISP_SANITIZE)
  # Frame pointers and line numbers make the reports readable; a finding ends the program, so that no test passes over it.
  add_compile_options(-fsanitize=${AISP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${AISP_SANITIZE})
  target_compile_definitions(aisp_options INTERFACE AISP_SANITIZED=1)
endif()
if(AISP_COVERAGE)
  set(CMAKE_CXX_FLAGS_RELEASE "-O0 -g1")
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()
if(AISP_STRIP)
  add_link_options(-s -Wl,--gc-sections)
  add_compile_options(-ffunction-sections -fdata-sections)
endif()
