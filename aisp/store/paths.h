// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where results are kept when the user does not say.
///
///   Result<StorePaths> paths = default_paths([](const char* name) { return std::getenv(name); });
///   if (paths) Store::open(paths->store, Access::read_write, {.fallback = paths->fallback});
///
/// Not a reader of the environment: the caller passes the lookup, so that only the command line touches it.
#pragma once

#include <filesystem>
#include <functional>

#include "aisp/core/result.h"

namespace aisp::store {

struct StorePaths {
  std::filesystem::path store;
  std::filesystem::path fallback;  ///< journal directory when the store's own cannot be written; may be empty
};

/// Returns the value of a variable, or null. Variables set to nothing count as unset, as XDG asks.
using Lookup = std::function<const char*(const char* name)>;

/// $AISP_STORE, else $XDG_DATA_HOME/aisp/results.db, else ~/.local/share/aisp/results.db. Relative XDG
/// directories are ignored, as XDG asks.
Result<StorePaths> default_paths(const Lookup& lookup);

}  // namespace aisp::store
