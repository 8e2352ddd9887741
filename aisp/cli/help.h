// SPDX-License-Identifier: Apache-2.0
/// \file
/// Help, the man page and shell completions, all from the flag tables.
#pragma once

#include <string>

#include "aisp/cli/command.h"

namespace aisp::cli {

std::string overview();
std::string help_of(const Command& command);
/// The same as JSON: commands and their flags, for programs that write a front end.
std::string overview_json();
std::string help_json(const Command& command);

/// "utils kv-cache".
std::string full_name(const Command& command);

/// Of the commands of a group, "" = of none, in the order of --help.
std::vector<std::string> names_of_group(const std::string& group);

std::string man_page();
/// For "bash", "zsh" or "fish"; empty for another shell.
std::string completions(const std::string& shell);

/// "--attempts N", and what it does with its choices and default: as help and the man page show them.
std::string spelled(const Flag& flag);
std::string with_default(const Flag& flag);

}  // namespace aisp::cli
