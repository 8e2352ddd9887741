// SPDX-License-Identifier: Apache-2.0
#include "tests/layering/rules.h"

namespace aisp::layering {

const std::vector<Module>& modules() {
  static const std::vector<Module> all{
      {.name = "core", .may_include = {}, .may_print = false},
      {.name = "stats", .may_include = {"core"}, .may_print = false},
      {.name = "wire", .may_include = {"core"}, .third_party = {"nlohmann/", "nettle/"}, .may_print = false},
      {.name = "device", .may_include = {"core"}, .third_party = {"hwloc.h"}},
      {.name = "probes", .may_include = {"core", "device"}},
      {.name = "guards", .may_include = {"core", "stats"}, .may_print = false},
      {.name = "harness", .may_include = {"core", "stats", "wire", "device", "probes", "guards"}},
      {.name = "analysis", .may_include = {"core", "stats"}, .may_print = false},
      {.name = "store", .may_include = {"core", "stats", "wire"}, .third_party = {"sqlite3.h"}},
      {.name = "report", .may_include = {"core", "stats", "wire"}, .third_party = {"fmt/", "pugixml.hpp"}},
      {.name = "server", .may_include = {"core", "wire"}, .third_party = {"boost/", "fmt/"}},
      {.name = "tui",
       .may_include = {"core", "wire", "guards", "harness", "store", "report"},
       .third_party = {"ncurses.h", "term.h", "fmt/"}},
      {.name = "cli",
       .may_include = {"core", "stats", "wire", "device", "probes", "guards", "harness", "analysis", "store",
                       "report", "server", "tui"},
       .third_party = {"CLI/", "fmt/", "toml++/"}},
      {.name = "plugin", .may_include = {"core"}, .may_print = false},
  };
  return all;
}

}  // namespace aisp::layering
