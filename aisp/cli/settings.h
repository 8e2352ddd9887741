// SPDX-License-Identifier: Apache-2.0
/// \file
/// Lays AISP_* variables over ./aisp.toml over the user's configuration, for flags that were not given.
#pragma once

#include <string>
#include <vector>

#include "aisp/cli/command.h"
#include "aisp/core/result.h"

namespace aisp::cli {

/// Fills in what the command line left open, defaults last, and checks ranges and choices of every value
/// whatever its source. `config` names a file given by --config; empty = the usual places.
Status apply_settings(const Command& command, const std::string& config, Arguments& arguments);

/// One value of a flag, wherever it came from: in range, one of the choices. A toggle becomes "true" or
/// "false". `source` is what the message calls it.
Status check_flag(const Flag& flag, std::string& given, const std::string& source);

/// "AISP_TIME_BUDGET": the variable that sets a flag. ';' separates the values of a list.
std::string variable_of(const Flag& flag);

/// The directory of configuration, data or cache: $XDG_..._HOME/aisp or its default under $HOME; empty
/// without both.
std::string xdg_directory(const char* variable, const char* below_home);

}  // namespace aisp::cli
