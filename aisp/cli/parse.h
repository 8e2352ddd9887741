// SPDX-License-Identifier: Apache-2.0
/// \file
/// The command line to Arguments, through CLI11, from the flag tables.
#pragma once

#include <string>
#include <vector>

#include "aisp/cli/command.h"
#include "aisp/core/result.h"

namespace aisp::cli {

/// `words` are the arguments after the command's name, spelt as this program does (older_spellings.h). More
/// arguments than the command takes are an error.
Result<Arguments> parse(const Command& command, const std::vector<std::string>& words);

}  // namespace aisp::cli
