// SPDX-License-Identifier: Apache-2.0
/// \file
/// `aisp run --launcher slurm` and `--launcher mpi`: a suite on several hosts, its results in one store.
/// Slurm or mpirun place the tasks; nothing is scheduled here. docs/handbook/launchers.md says how to use it.
#pragma once

#include <vector>

#include "aisp/cli/command.h"
#include "aisp/core/config.h"
#include "aisp/harness/plan.h"

namespace aisp::cli {

/// Writes the scripts and submits or starts them; with --dry-run prints them.
int launch(const Arguments& arguments, const RunConfig& config,
           const std::vector<harness::PlannedCell>& cells);

}  // namespace aisp::cli
