// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/results.h"

#include <cstdlib>

#include "aisp/store/paths.h"

namespace aisp::cli {

Result<store::Store> open_store(const Arguments& arguments, store::Access access) {
  const auto lookup = [](const char* name) -> const char* { return std::getenv(name); };
  Result<store::StorePaths> paths = store::default_paths(lookup);
  if (!paths && !arguments.has("store")) return paths.error();
  const std::filesystem::path file =
      arguments.has("store") ? std::filesystem::path(arguments.text("store")) : paths->store;
  const std::filesystem::path fallback = paths ? paths->fallback : std::filesystem::path();
  Result<store::Store> opened = store::Store::open(file, access, {.fallback = fallback});
  if (opened) {
    for (const std::string& warning : opened->warnings()) warn(arguments, warning);
  }
  return opened;
}

}  // namespace aisp::cli
