# aisp_module(name [TOGETHER] DEPENDS other...): a static library aisp_<name> of every .cpp below aisp/<name>.
# TOGETHER: eight files are compiled at a time, which takes a third to a half off the compiling of files that use the
# JSON library. Names in unnamed namespaces are then unique in the module; tools/check.sh tidy looks. Its database and
# the coverage build compile each file alone, so that a missing include is still found.
function(aisp_module name)
  cmake_parse_arguments(ARG "TOGETHER" "" "DEPENDS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/aisp/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/cuda/")
  if(NOT sources)
    add_library(aisp_${name} INTERFACE)
    set(scope INTERFACE)
  else()
    add_library(aisp_${name} STATIC ${sources})
    set(scope PUBLIC)
    if(ARG_TOGETHER AND AISP_TOGETHER AND NOT AISP_COVERAGE)
      set_target_properties(aisp_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
    endif()
  endif()
  target_link_libraries(aisp_${name} ${scope} aisp_options)
  foreach(dependency IN LISTS ARG_DEPENDS)
    target_link_libraries(aisp_${name} ${scope} aisp_${dependency})
  endforeach()
  add_library(aisp::${name} ALIAS aisp_${name})
endfunction()

# Links a library to a module whether or not the module has sources yet.
function(aisp_link name)
  get_target_property(type aisp_${name} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    target_link_libraries(aisp_${name} INTERFACE ${ARGN})
  else()
    target_link_libraries(aisp_${name} PUBLIC ${ARGN})
  endif()
endfunction()
