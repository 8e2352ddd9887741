// SPDX-License-Identifier: Apache-2.0
/// \file
/// What `aisp history` was asked to look at: hardware, time, order, workloads.
#pragma once

#include <vector>

#include "aisp/analysis/history.h"
#include "aisp/cli/command.h"
#include "aisp/cli/stored_history.h"
#include "aisp/core/history.h"
#include "aisp/core/result.h"

namespace aisp::cli {

/// Reads the file of --commits. The hardware is looked for in the store that
/// is given, or else in the one that --store names.
Result<HistoryQuery> history_query(const Arguments& arguments, store::Store* results = nullptr);

struct LookedBack {
  std::vector<ExaminedSeries> examined;  ///< without those that did not change, if so asked
  int series = 0, points = 0;            ///< that were looked at
  int tested = 0;                        ///< series with enough results for a change to be found
  HistoryLeftOut left_out;
};

/// Every series asked for, examined for changes and settled by what was measured side by side. Without a
/// store there are none. Some may be of workloads that this build does not have.
Result<LookedBack> look_back(store::Store* results, const Arguments& arguments, HistoryQuery query,
                             const analysis::HistoryOptions& options, RunBeginnings& beginnings);

}  // namespace aisp::cli
