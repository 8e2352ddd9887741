# The installed package: `find_package(aisp)` gives aisp_add_workload() (a plugin for `aisp run --plugin`) and
# aisp_add_benchmark() (a program of its own). Both link one archive that holds everything, third-party parts
# included, so that users need no -dev package.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# What a plugin links: the public interface's code. Its one exported symbol is compiled with it.
add_library(aisp_plugin STATIC $<TARGET_OBJECTS:aisp_core>)
target_link_libraries(aisp_plugin PUBLIC aisp_options)
add_library(aisp::plugin ALIAS aisp_plugin)
# That symbol's file with its flags, for the compile database; plugins compile it themselves.
add_library(aisp_plugin_entry OBJECT EXCLUDE_FROM_ALL aisp/plugin/entry.cpp)
target_link_libraries(aisp_plugin_entry PRIVATE aisp_options)
target_compile_definitions(aisp_plugin_entry PRIVATE AISP_PLUGIN_ABI=${plugin_abi})

# What a benchmark program links: main() and every command.
add_library(aisp_main STATIC aisp/main.cpp)
target_link_libraries(aisp_main PUBLIC aisp_cli)
add_library(aisp::main ALIAS aisp_main)

# Every static archive that `target` needs, itself included.
function(aisp_archives_of target archives)
  set(found ${${archives}})
  if(TARGET ${target})
    get_target_property(original ${target} ALIASED_TARGET)
    if(original)
      set(target ${original})
    endif()
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      if("$<TARGET_FILE:${target}>" IN_LIST found)
        return()
      endif()
      list(APPEND found $<TARGET_FILE:${target}>)
    endif()
    foreach(property LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
      get_target_property(needed ${target} ${property})
      if(needed)
        foreach(item IN LISTS needed)
          aisp_archives_of("${item}" found)
        endforeach()
      endif()
    endforeach()
  elseif(target MATCHES "\\.a$")
    list(APPEND found ${target})
  endif()
  list(REMOVE_DUPLICATES found)
  set(${archives} ${found} PARENT_SCOPE)
endfunction()

set(main_archives)
aisp_archives_of(aisp_main main_archives)
set(merged_archive ${PROJECT_BINARY_DIR}/package/libaisp_main.a)
add_custom_command(
  OUTPUT ${merged_archive}
  COMMAND ${CMAKE_COMMAND} "-DAR=${CMAKE_AR}" "-DOUTPUT=${merged_archive}" "-DARCHIVES=${main_archives}" -P
          ${PROJECT_SOURCE_DIR}/cmake/package/MergeArchives.cmake
  DEPENDS aisp_main aisp_cli ${main_archives} ${PROJECT_SOURCE_DIR}/cmake/package/MergeArchives.cmake
  COMMENT "Merging everything into one archive"
  VERBATIM)
add_custom_target(aisp_package ALL DEPENDS ${merged_archive} aisp_plugin aisp)

set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/aisp)
configure_package_config_file(cmake/package/aispConfig.cmake.in ${PROJECT_BINARY_DIR}/package/aispConfig.cmake
                              INSTALL_DESTINATION ${package_directory}
                              PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_BINDIR)
# The plugin ABI has no promise across versions yet: only the same minor version is accepted.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/aispConfigVersion.cmake COMPATIBILITY SameMinorVersion)

install(TARGETS aisp RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS aisp_plugin ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${merged_archive} DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES aisp/aisp.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/aisp)
install(FILES aisp/plugin/entry.cpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/aisp/plugin)
install(DIRECTORY aisp/core DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/aisp FILES_MATCHING PATTERN "*.h")
install(FILES ${PROJECT_BINARY_DIR}/package/aispConfig.cmake ${PROJECT_BINARY_DIR}/package/aispConfigVersion.cmake
              cmake/package/AispWorkload.cmake cmake/package/AispPluginAbi.cmake cmake/package/plugin.map
        DESTINATION ${package_directory})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/aisp)
