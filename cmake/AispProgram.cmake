# The program: one self-contained binary.
if(EXISTS ${PROJECT_SOURCE_DIR}/aisp/main.cpp)
  add_executable(aisp aisp/main.cpp)
  target_link_libraries(
    aisp PRIVATE aisp_cli $<TARGET_NAME_IF_EXISTS:aisp_workloads> $<TARGET_NAME_IF_EXISTS:aisp_workloads_cuda>
                 $<TARGET_NAME_IF_EXISTS:aisp_cuda_backend>)
endif()
