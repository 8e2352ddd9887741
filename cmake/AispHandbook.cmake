# `aisp explain GUARD` prints the handbook's own words: the page is compiled in, so that there is one text to keep right.
set(guards_page ${PROJECT_SOURCE_DIR}/docs/handbook/guards.md)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${guards_page})
file(READ ${guards_page} page)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/aisp_guards_page.h CONTENT
     "inline constexpr char kGuardsPage[] = R\"page(@page@)page\";\n" @ONLY)
set_source_files_properties(${PROJECT_SOURCE_DIR}/aisp/guards/handbook.cpp
                            PROPERTIES INCLUDE_DIRECTORIES ${PROJECT_BINARY_DIR}/generated)
