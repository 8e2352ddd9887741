// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a run would cost, before it is made: the memory of each cell and whether it fits, and about how long
/// it takes: as long as the last time on this machine, or else a guess from the declared work.
///
///   for (const CellEstimate& estimate : estimate_cells(cells, config, history)) ...
///
/// The times are for planning an afternoon; nothing is judged by them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aisp/core/ceiling.h"
#include "aisp/core/config.h"
#include "aisp/harness/plan.h"
#include "aisp/harness/protocol.h"
#include "aisp/store/store.h"

namespace aisp::cli {

struct CellEstimate {
  std::optional<double> needed_bytes;  ///< of one worker; nothing where the workload could not say
  std::optional<Error> refused;        ///< why it cannot be measured here
  double seconds = 0;
  std::string basis;  ///< "run 20261115-142301-9f3a" or "a guess"
};

/// `history` may be null. The workloads' own code is asked for sizes, in a worker.
std::vector<CellEstimate> estimate_cells(const std::vector<harness::PlannedCell>& cells,
                                         const RunConfig& config, store::Store* history);

/// Why the cell cannot be measured on this machine, as far as its size says it; the worker that measures it
/// would say the same. Of a GPU only that worker knows. A problem that ends the worker which is asked is not
/// refused: measuring it says more.
std::optional<Error> refusal_of(const harness::PlannedCell& cell, const RunConfig& config);

/// A guess from the declared work; `ceilings` may be empty.
double guess_seconds(const harness::PlannedCell& cell, const harness::CellSize& size, const RunConfig& config,
                     const Ceilings& ceilings);

}  // namespace aisp::cli
