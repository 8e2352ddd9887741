// SPDX-License-Identifier: Apache-2.0
/// \file
/// Pairs two builds (two aisp programs, or two versions of a plugin) live: a worker of each, alternating
/// round by round, so that whatever the machine does happens to both. This is how a regression is confirmed.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "aisp/core/config.h"
#include "aisp/core/record.h"
#include "aisp/core/result.h"
#include "aisp/harness/plan.h"
#include "aisp/harness/worker_process.h"

namespace aisp::harness {

struct BuildComparison {
  std::string workload, parameters, variant;
  RatioEstimate ratio;                 ///< above 1: the second build is faster
  double first_ns = 0, second_ns = 0;  ///< medians
  std::string problem;                 ///< why there is no ratio; empty = there is one
};

/// One comparison per variant that both builds have.
Result<std::vector<BuildComparison>> compare_builds(const PlannedCell& cell, const RunConfig& config,
                                                    const WorkerSetup& first, const WorkerSetup& second,
                                                    const std::function<void(double)>& progress);

}  // namespace aisp::harness
