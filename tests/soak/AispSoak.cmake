# The long proofs: programs that `make soak` runs. Too long for ctest, so they are built on request only.
file(GLOB soak_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/soak/*.cpp)
add_custom_target(soak_programs)
foreach(source IN LISTS soak_sources)
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} EXCLUDE_FROM_ALL ${source})
  target_link_libraries(${name} PRIVATE aisp_harness aisp_store)
  add_dependencies(soak_programs ${name})
endforeach()
