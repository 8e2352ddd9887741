# aisp_add_workload(name source...): a plugin with the workloads of these files, for `aisp run --plugin name.so`.
# Nothing but its entry point is visible, so that two plugins never see one another's symbols.
# AISP_INCLUDE_DIR holds the headers that the plugin is built against, and whose number it carries.
include(${CMAKE_CURRENT_LIST_DIR}/AispPluginAbi.cmake)
set(AISP_PLUGIN_MAP ${CMAKE_CURRENT_LIST_DIR}/plugin.map)
function(aisp_add_workload name)
  if(NOT ARGN)
    message(FATAL_ERROR "aisp_add_workload(${name}): name at least one source file")
  endif()
  aisp_plugin_abi(${AISP_INCLUDE_DIR} abi)
  add_library(${name} MODULE ${ARGN} ${AISP_INCLUDE_DIR}/aisp/plugin/entry.cpp)
  target_compile_definitions(${name} PRIVATE AISP_PLUGIN_ABI=${abi})
  target_link_libraries(${name} PRIVATE aisp::plugin)
  target_link_options(${name} PRIVATE LINKER:--version-script=${AISP_PLUGIN_MAP})
  set_target_properties(${name} PROPERTIES PREFIX "" CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
                                           LINK_DEPENDS ${AISP_PLUGIN_MAP})
endfunction()

# aisp_add_benchmark(name source...): a program of its own with these workloads and every command of aisp.
function(aisp_add_benchmark name)
  if(NOT ARGN)
    message(FATAL_ERROR "aisp_add_benchmark(${name}): name at least one source file")
  endif()
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE aisp::main)
endfunction()
