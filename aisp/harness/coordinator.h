// SPDX-License-Identifier: Apache-2.0
/// \file
/// The coordinator's half of the method for one cell: search the anchors' settings, open the attempts, sample
/// until the interval is narrow enough or the time is spent, collect the evidence, derive the verdicts. It
/// never calls workload code; whatever that code does to its worker ends up as a recorded attempt.
#pragma once

#include <functional>
#include <string>

#include "aisp/core/ceiling.h"
#include "aisp/core/config.h"
#include "aisp/core/record.h"
#include "aisp/core/result.h"
#include "aisp/harness/plan.h"

namespace aisp::harness {

/// Where a cell is, for a progress bar: share of the worst case, and a few words.
using CellProgress = std::function<void(double share, const std::string& what)>;

struct CellJob {
  const PlannedCell& cell;
  const RunConfig& config;
  const Ceilings& ceilings;  ///< may be empty: floors are then unknown
  std::string config_hash;
  std::function<std::string()> rehash = {};  ///< the configuration and the programs as they are now
  std::string program = "/proc/self/exe";
  /// The cell is measured to choose from, not to publish: inputs of another domain, no memory, no audit.
  bool to_tune = false;
  CellProgress progress = [](double, const std::string&) {};
  /// After each look, with the estimates as they stand then.
  std::function<void(const CellResult&)> looked = [](const CellResult&) {};
};

/// An Error means that the cell cannot be measured here (does not fit, bad plugin); everything workload code
/// does wrong is in the result instead.
Result<CellResult> measure_cell(const CellJob& job);

}  // namespace aisp::harness
