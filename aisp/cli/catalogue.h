// SPDX-License-Identifier: Apache-2.0
/// \file
/// The workloads there are, plugins included. A plugin's list comes from a worker: its code never runs here.
#pragma once

#include <vector>

#include "aisp/cli/command.h"
#include "aisp/core/result.h"
#include "aisp/harness/catalogue.h"

namespace aisp::cli {

Result<std::vector<harness::WorkloadInfo>> load_catalogue(const std::vector<std::string>& plugins);

/// --plugin, the same for every command that runs workloads.
Flag plugin_flag();

}  // namespace aisp::cli
