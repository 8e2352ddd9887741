// SPDX-License-Identifier: Apache-2.0
/// \file
/// Measures two builds (two aisp programs, or two versions of a plugin) as one cell: a worker of each,
/// alternating round by round, so that whatever the machine does happens to both. Their variants stand in the
/// cell as "old/<variant>" and "new/<variant>", with the samples, evidence and verdicts every cell has.
///
///   Result<CellResult> cell = measure_builds({.cell = planned, .config = config, .ceilings = ceilings,
///                                             .config_hash = hash, .setups = {old_setup, new_setup}});
///   compare_pair(*cell, *cell->find("old/tiled"), *cell->find("new/tiled"), plan, config.equivalence);
#pragma once

#include <array>
#include <functional>
#include <string>

#include "aisp/core/ceiling.h"
#include "aisp/core/config.h"
#include "aisp/core/record.h"
#include "aisp/core/result.h"
#include "aisp/harness/coordinator.h"
#include "aisp/harness/plan.h"
#include "aisp/harness/worker_process.h"

namespace aisp::harness {

struct BuildPairJob {
  const PlannedCell& cell;  ///< its workload as the old build describes it
  const RunConfig& config;
  const Ceilings& ceilings;
  std::string config_hash;
  std::function<std::string()> rehash = {};
  std::array<WorkerSetup, 2> setups;  ///< program and plugins; limits and environment are filled in
  CellProgress progress = [](double, const std::string&) {};
};

/// An Error means that the cell cannot be measured here, or that a build does not have it.
Result<CellResult> measure_builds(const BuildPairJob& job);

}  // namespace aisp::harness
