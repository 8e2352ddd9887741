// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads aisp.toml strictly: a key that no command has, or a value of another type, is an error with its
/// line. Somebody who wrote polcy = "strict" must not believe that strict was applied.
///
///   policy = "strict"        # for every command that has --policy
///   [run]
///   attempts = 5             # for `aisp run` alone, over the one above
#pragma once

#include <map>
#include <string>
#include <vector>

#include "aisp/cli/command.h"
#include "aisp/core/result.h"

namespace aisp::cli {

struct ConfigValue {
  std::vector<std::string> texts;
  std::string where;  ///< "aisp.toml: line 3: attempts", for messages about the value
};

/// What the file sets for this command's flags, by name.
Result<std::map<std::string, ConfigValue>> read_config_file(const std::string& path, const Command& command);

}  // namespace aisp::cli
