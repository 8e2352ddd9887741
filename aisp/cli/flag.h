// SPDX-License-Identifier: Apache-2.0
/// \file
/// A flag declared as data. From one table come the parser, --help, the man page, the completions, the AISP_*
/// variables and the keys of aisp.toml, so that none of them can disagree.
#pragma once

#include <string>
#include <vector>

namespace aisp::cli {

enum class FlagKind { toggle, text, list, integer, real, choice };

struct Flag {
  std::string name;  ///< "time-budget": --time-budget, AISP_TIME_BUDGET, time-budget in aisp.toml
  FlagKind kind = FlagKind::toggle;
  std::string help;           ///< one line
  std::string value = {};     ///< name of its value in --help: SECONDS
  std::string fallback = {};  ///< default, as text; empty = none
  double low = 0, high = 0;   ///< allowed range of integer and real
  std::vector<std::string> choices = {};
  std::string alias = {};  ///< another spelling that is accepted
};

}  // namespace aisp::cli
