// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/paths.h"

namespace aisp::store {
namespace {

std::filesystem::path variable(const Lookup& lookup, const char* name) {
  const char* value = lookup(name);
  return value == nullptr ? "" : value;
}

/// The XDG directory: the variable when absolute, else its place below HOME, else nothing.
std::filesystem::path xdg(const Lookup& lookup, const char* name, const char* below_home) {
  if (const auto set = variable(lookup, name); set.is_absolute()) return set;
  const auto home = variable(lookup, "HOME");
  return home.is_absolute() ? home / below_home : std::filesystem::path();
}

}  // namespace

Result<StorePaths> default_paths(const Lookup& lookup) {
  StorePaths paths;
  if (const auto state = xdg(lookup, "XDG_STATE_HOME", ".local/state"); !state.empty()) {
    paths.fallback = state / "aisp";
  }
  paths.store = variable(lookup, "AISP_STORE");
  if (!paths.store.empty()) return paths;
  const auto data = xdg(lookup, "XDG_DATA_HOME", ".local/share");
  if (data.empty()) {
    return Error{ErrorCode::store,
                 "no place for results: neither AISP_STORE nor XDG_DATA_HOME nor HOME is set",
                 "set AISP_STORE=/some/directory/results.db"};
  }
  paths.store = data / "aisp" / "results.db";
  return paths;
}

}  // namespace aisp::store
