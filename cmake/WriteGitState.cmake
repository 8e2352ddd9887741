# Writes a header with the commit of SOURCE to OUTPUT; empty where there is no git, so that the fact stays unknown.
# Without optional locks: a build must not stand in the way of a commit.
execute_process(COMMAND git --no-optional-locks -C ${SOURCE} describe --always --dirty --abbrev=12
                OUTPUT_VARIABLE state OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
set(content "// Written by every build.\n")
if(state)
  string(APPEND content "#define AISP_GIT \"${state}\"\n")
endif()
set(earlier)
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} earlier)
endif()
if(NOT content STREQUAL earlier)
  file(WRITE ${OUTPUT} "${content}")
endif()
