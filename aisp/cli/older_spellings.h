// SPDX-License-Identifier: Apache-2.0
/// \file
/// Spellings of older tools that people and scripts still type, as this program's own:
/// `bench run --targets ch7,ch8 --profile minimal` becomes `run ch7 ch8`.
#pragma once

#include <string>
#include <vector>

#include "aisp/cli/command.h"
#include "aisp/core/result.h"

namespace aisp::cli {

struct Modern {
  std::vector<std::string> words;
  std::vector<std::string> notes;  ///< what was taken to mean something else than it says
};

/// `words` are the arguments after the command's name. Commands that take no workloads are left alone.
Result<Modern> modernise(const Command& command, const std::vector<std::string>& words);

/// `utils --tool kv-cache -- --layers 80` and `utils kv-cache --layers 80` are `kv-cache --layers 80`: the
/// whole line, the command's name first; as `analyze whatif` is `whatif`. Everything else comes back as it
/// is.
std::vector<std::string> without_group(const std::vector<std::string>& words);

/// `--json list` becomes `list --json`: flags of every command may come first.
void move_common_flags(std::vector<std::string>& words);

}  // namespace aisp::cli
