# Which plugins the loader accepts.
include(${PROJECT_SOURCE_DIR}/cmake/package/AispPluginAbi.cmake)
aisp_plugin_abi(${PROJECT_SOURCE_DIR} plugin_abi)
set_source_files_properties(${PROJECT_SOURCE_DIR}/aisp/harness/plugin_loader.cpp
                            PROPERTIES COMPILE_DEFINITIONS AISP_PLUGIN_ABI=${plugin_abi})

# What the manifest records about this build: compiler, flags and the commit. Passed to the one file that needs them, so
# that a new commit does not rebuild the tree.
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}}" flags)
set(facts AISP_COMPILER="${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" AISP_FLAGS="${flags}")
if(TARGET aisp_workloads)
  # The measured code has options of its own; the last of two that contradict each other counts.
  get_target_property(workload_options aisp_workloads COMPILE_OPTIONS)
  list(JOIN workload_options " " workload_options)
  list(APPEND facts AISP_WORKLOAD_FLAGS="${flags} ${workload_options}")
endif()

# The commit is looked up in every build, not when CMake configures: a later commit or a changed file would be recorded
# as the old, clean one. The header is rewritten only when the answer differs.
set(generated ${PROJECT_BINARY_DIR}/generated)
add_custom_target(
  aisp_git_state
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUTPUT=${generated}/aisp_git_state.h -P
          ${PROJECT_SOURCE_DIR}/cmake/WriteGitState.cmake
  BYPRODUCTS ${generated}/aisp_git_state.h
  COMMENT "Looking up the commit"
  VERBATIM)
add_dependencies(aisp_probes aisp_git_state)
set_source_files_properties(${PROJECT_SOURCE_DIR}/aisp/probes/manifest_facts.cpp
                            PROPERTIES COMPILE_DEFINITIONS "${facts}" INCLUDE_DIRECTORIES ${generated})
