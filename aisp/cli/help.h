// SPDX-License-Identifier: Apache-2.0
/// \file
/// Help, the man page and shell completions, all from the flag tables.
#pragma once

#include <string>

#include "aisp/cli/command.h"

namespace aisp::cli {

std::string overview();
std::string help_of(const Command& command);
std::string man_page();
/// For "bash", "zsh" or "fish"; empty for another shell.
std::string completions(const std::string& shell);

}  // namespace aisp::cli
