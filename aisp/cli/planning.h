// SPDX-License-Identifier: Apache-2.0
/// \file
/// From a configuration to the cells of a run: which workloads there are (in this program, in plugins, in the
/// two builds of a comparison), which of them and of their variants were asked for.
#pragma once

#include <string>
#include <vector>

#include "aisp/core/config.h"
#include "aisp/core/result.h"
#include "aisp/harness/plan.h"
#include "aisp/harness/worker_process.h"

namespace aisp::cli {

/// The cells a configuration asks for. Adds the baselines to a choice of variants: a comparison needs them.
Result<std::vector<harness::PlannedCell>> cells_of(RunConfig& config);

/// How a worker of a build is started: a shared library is loaded beside the run's plugins, anything else is
/// a program.
harness::WorkerSetup setup_for(const std::string& build, const RunConfig& config);

}  // namespace aisp::cli
