# What the manifest records about this build: compiler, flags and the commit. Taken when CMake configures, and passed
# to the one file that needs them so that a new commit does not rebuild the tree.
execute_process(COMMAND git -C ${PROJECT_SOURCE_DIR} describe --always --dirty --abbrev=12
                OUTPUT_VARIABLE git_state OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}}" flags)
set(facts AISP_COMPILER="${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" AISP_FLAGS="${flags}")
if(git_state)
  list(APPEND facts AISP_GIT="${git_state}")
endif()
set_source_files_properties(${PROJECT_SOURCE_DIR}/aisp/probes/manifest_facts.cpp PROPERTIES COMPILE_DEFINITIONS
                                                                                           "${facts}")
