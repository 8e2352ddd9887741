# CUDA is optional: this looks for the toolkit, says what was found, and compiles aisp/device/cuda, the one product
# folder that may use it, where AISP_HAS_CUDA is true.
set(AISP_HAS_CUDA FALSE)
# As nvcc numbers them; "80-virtual" is PTX, which the driver of a later device compiles.
set(AISP_CUDA_TARGETS "90a" CACHE STRING "GPUs to compile for, such as 90a or 80;90a;80-virtual")
if(NOT AISP_CUDA)
  message(STATUS "CUDA: not asked for")
  return()
endif()
find_program(AISP_NVCC nvcc HINTS ENV CUDACXX ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES bin)
if(NOT AISP_NVCC)
  message(STATUS "CUDA: nvcc was not found; everything else is built")
  return()
endif()
execute_process(COMMAND ${AISP_NVCC} --version OUTPUT_VARIABLE nvcc_version ERROR_QUIET RESULT_VARIABLE nvcc_result)
if(NOT nvcc_result EQUAL 0 OR NOT nvcc_version MATCHES "release ([0-9.]+)")
  message(WARNING "CUDA: ${AISP_NVCC} does not run; everything else is built")
  return()
endif()
message(STATUS "CUDA: toolkit ${CMAKE_MATCH_1} at ${AISP_NVCC}")
set(AISP_HAS_CUDA TRUE)
set(CMAKE_CUDA_COMPILER ${AISP_NVCC})
set(CMAKE_CUDA_ARCHITECTURES OFF)  # named below: sm_90a has instructions that sm_90 does not
foreach(number IN ITEMS 90 100 103)
  if("${number}" IN_LIST AISP_CUDA_TARGETS AND "${number}a" IN_LIST AISP_CUDA_TARGETS)
    message(FATAL_ERROR "AISP_CUDA_TARGETS: ${number} and ${number}a are code for the same device, and ${number}a is the better one")
  endif()
endforeach()
message(STATUS "CUDA: code for ${AISP_CUDA_TARGETS}")
set(cuda_code "")
foreach(target IN LISTS AISP_CUDA_TARGETS)
  if(NOT target MATCHES "^([0-9]+[af]?)(-virtual)?$")
    message(FATAL_ERROR "AISP_CUDA_TARGETS: '${target}' is neither a number such as 90a nor PTX such as 80-virtual")
  endif()
  set(number ${CMAKE_MATCH_1})
  if(CMAKE_MATCH_2)
    list(APPEND cuda_code "SHELL:-gencode arch=compute_${number},code=compute_${number}")
  else()
    list(APPEND cuda_code "SHELL:-gencode arch=compute_${number},code=sm_${number}")
  endif()
endforeach()
set(CMAKE_CUDA_FLAGS_RELEASE "-O3 -DNDEBUG")
if(CCACHE)
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${CCACHE})
endif()
set(CMAKE_CUDA_STANDARD_REQUIRED OFF)  # CMake 3.25.1 knows no flag for 20 and decays; the flag is given below
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)

# What everything with CUDA in it is compiled with. The runtime is linked statically, and finds the driver when it
# is used.
add_library(aisp_cuda_options INTERFACE)
target_include_directories(aisp_cuda_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(
  aisp_cuda_options
  INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20
            --expt-relaxed-constexpr
            "${cuda_code}"
            -Xcompiler=-Wall,-Wextra,-Wno-missing-field-initializers
            $<$<BOOL:${AISP_WERROR}>:-Werror=all-warnings>>)
list(JOIN AISP_CUDA_TARGETS ", " cuda_targets)
target_compile_definitions(aisp_cuda_options INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:AISP_CUDA_TARGETS="${cuda_targets}">)
target_link_libraries(aisp_cuda_options INTERFACE CUDA::cudart_static)

file(GLOB cuda_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/aisp/device/cuda/*.cu
     ${PROJECT_SOURCE_DIR}/aisp/device/cuda/*.cpp)
# This one registers the backend before main(), so it is an OBJECT library: a static one would drop it silently.
set(cuda_backend ${PROJECT_SOURCE_DIR}/aisp/device/cuda/cuda_gpu.cpp)
list(REMOVE_ITEM cuda_sources ${cuda_backend})
add_library(aisp_cuda STATIC ${cuda_sources})
target_link_libraries(aisp_cuda PUBLIC aisp_cuda_options aisp_device)
add_library(aisp_cuda_backend OBJECT ${cuda_backend})
target_link_libraries(aisp_cuda_backend PUBLIC aisp_cuda)
