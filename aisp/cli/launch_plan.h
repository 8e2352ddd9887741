// SPDX-License-Identifier: Apache-2.0
/// \file
/// From what was typed to the Launch: which folder the hosts share, which flags the tasks get, what cannot
/// work.
#pragma once

#include <string>
#include <vector>

#include "aisp/cli/command.h"
#include "aisp/cli/launch_script.h"
#include "aisp/core/config.h"
#include "aisp/core/result.h"
#include "aisp/harness/plan.h"

namespace aisp::cli {

/// Creates nothing. An Error says what is missing: a folder that all hosts see, say.
Result<Launch> plan_launch(const Arguments& arguments, const RunConfig& config,
                           const std::vector<harness::PlannedCell>& cells);

/// The full path of a program in PATH, or what to do without it.
Result<std::string> find_program(const std::string& name);

}  // namespace aisp::cli
