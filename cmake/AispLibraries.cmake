# Third-party libraries, linked statically so that the one binary runs where nothing can be installed.
# CLI11, nlohmann-json, toml++ and what is used of Boost (Asio, Beast) are header-only.
find_library(SQLITE3_STATIC libsqlite3.a REQUIRED)
find_library(HWLOC_STATIC libhwloc.a REQUIRED)
find_library(NETTLE_STATIC libnettle.a REQUIRED)
find_library(PUGIXML_STATIC libpugixml.a REQUIRED)
# ncurses reads the terminal's description at run time, from where the distribution keeps it.
find_library(NCURSES_STATIC libncursesw.a REQUIRED)
find_library(TINFO_STATIC libtinfo.a REQUIRED)

# {fmt}: compiled once for the version we know (cmake/fmt/format.cpp), header-only for any other.
find_path(FMT_INCLUDE fmt/core.h REQUIRED)
file(STRINGS ${FMT_INCLUDE}/fmt/core.h fmt_version REGEX "#define FMT_VERSION 9[0-9]+")
if(fmt_version)
  add_library(aisp_fmt STATIC ${PROJECT_SOURCE_DIR}/cmake/fmt/format.cpp)
else()
  add_library(aisp_fmt INTERFACE)
  target_compile_definitions(aisp_fmt INTERFACE FMT_HEADER_ONLY=1)
endif()

aisp_link(wire ${NETTLE_STATIC})
aisp_link(device ${HWLOC_STATIC} m)
aisp_link(store ${SQLITE3_STATIC} m)
aisp_link(report ${PUGIXML_STATIC} aisp_fmt)

aisp_link(tui ${NCURSES_STATIC} ${TINFO_STATIC} aisp_fmt)

# The server uses Boost's headers for its sockets and for the parsing of requests.
find_path(BOOST_INCLUDE boost/beast/http/parser.hpp REQUIRED)
aisp_link(server aisp_fmt)
