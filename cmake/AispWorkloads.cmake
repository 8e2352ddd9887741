# Workloads register themselves before main(), so they are an OBJECT library: a static one would drop them silently.
# Every variant, baselines included, is built with the same flags.
file(GLOB workload_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/workloads/*/*.cpp)
if(workload_sources)
  add_library(aisp_workloads OBJECT ${workload_sources})
  target_link_libraries(aisp_workloads PUBLIC aisp_core)
  target_compile_options(aisp_workloads PRIVATE -O3)
endif()

file(GLOB cuda_workload_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/workloads/*/*.cu ${PROJECT_SOURCE_DIR}/labs/*/*.cu)
if(AISP_HAS_CUDA AND cuda_workload_sources)
  add_library(aisp_workloads_cuda OBJECT ${cuda_workload_sources})
  target_link_libraries(aisp_workloads_cuda PUBLIC aisp_core aisp_cuda_options)
endif()

# labs/blackwell_matmul for the devices it is written for, whatever AISP_CUDA_TARGETS says: compiled, and what ptxas says
# of it printed. Not part of the program.
if(AISP_HAS_CUDA)
  add_custom_target(blackwell_compiles COMMAND ${PROJECT_SOURCE_DIR}/tools/blackwell_compile.sh ${AISP_NVCC}
                                               ${PROJECT_BINARY_DIR}/blackwell VERBATIM USES_TERMINAL)
endif()
