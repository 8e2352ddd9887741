# Language level, warnings and build type for everything in the tree.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

find_package(Threads REQUIRED)

add_library(aisp_options INTERFACE)
target_include_directories(aisp_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(aisp_options INTERFACE -Wall -Wextra -Wshadow -Wno-missing-field-initializers -Wno-restrict
                                              $<$<BOOL:${AISP_WERROR}>:-Werror>)
target_link_libraries(aisp_options INTERFACE Threads::Threads ${CMAKE_DL_LIBS})
