# Third-party libraries, linked statically so that the one binary runs where nothing can be installed.
# fmt, CLI11, nlohmann-json and toml++ are header-only here.
target_compile_definitions(aisp_options INTERFACE FMT_HEADER_ONLY=1)

find_library(SQLITE3_STATIC libsqlite3.a REQUIRED)
find_library(HWLOC_STATIC libhwloc.a REQUIRED)
find_library(NETTLE_STATIC libnettle.a REQUIRED)
find_library(PUGIXML_STATIC libpugixml.a REQUIRED)

aisp_link(wire ${NETTLE_STATIC})
aisp_link(device ${HWLOC_STATIC} m)
aisp_link(store ${SQLITE3_STATIC} m)
aisp_link(report ${PUGIXML_STATIC})
