# Every header compiles alone: one generated source per header, which includes it twice, so that a missing include or
# a missing #pragma once fails `make check`, which builds this. Instrumented builds would only repeat it.
if(AISP_SANITIZE OR AISP_COVERAGE)
  return()
endif()
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
     ${PROJECT_SOURCE_DIR}/aisp/*.h ${PROJECT_SOURCE_DIR}/workloads/*.h
     ${PROJECT_SOURCE_DIR}/labs/*.h)
list(FILTER headers EXCLUDE REGEX "/cuda/")
set(header_sources)
foreach(header IN LISTS headers)
  string(MAKE_C_IDENTIFIER ${header} stem)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/headers/${stem}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "#include \"@header@\"\n#include \"@header@\"\n" @ONLY)
  list(APPEND header_sources ${source})
endforeach()
add_library(headers_alone OBJECT EXCLUDE_FROM_ALL ${header_sources})
target_link_libraries(headers_alone PRIVATE aisp_options)
# Nothing is run, so nothing is optimised; and a header alone defines functions that nobody calls yet.
target_compile_options(headers_alone PRIVATE -O0 -Wno-unused-function)
