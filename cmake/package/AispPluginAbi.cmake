# aisp_plugin_abi(folder variable): the number that aisp and a plugin compare before anything else crosses between them,
# from the contents of the headers below `folder`/aisp/core. A number kept by hand is forgotten; one that also changes
# with a comment costs a rebuild of the plugin and nothing else.
function(aisp_plugin_abi folder variable)
  file(GLOB headers CONFIGURE_DEPENDS ${folder}/aisp/core/*.h)
  if(NOT headers)
    message(FATAL_ERROR "aisp: ${folder} holds no headers of aisp")
  endif()
  list(SORT headers)
  set(hashes)
  foreach(header IN LISTS headers)
    file(SHA256 ${header} hash)
    list(APPEND hashes ${hash})
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers})
  string(SHA256 all "${hashes}")
  string(SUBSTRING ${all} 0 8 number)
  set(${variable} 0x${number}u PARENT_SCOPE)
endfunction()
