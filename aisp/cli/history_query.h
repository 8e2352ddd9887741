// SPDX-License-Identifier: Apache-2.0
/// \file
/// What `aisp history` was asked to look at: hardware, time, order, workloads.
#pragma once

#include <vector>

#include "aisp/cli/command.h"
#include "aisp/cli/stored_history.h"
#include "aisp/core/history.h"
#include "aisp/core/result.h"

namespace aisp::cli {

/// Everything but the workloads. Reads the file of --commits.
Result<HistoryQuery> history_query(const Arguments& arguments);

/// Leaves the series of the workloads asked for. Some may be of workloads that this build does not have.
Status choose_series(const Arguments& arguments, std::vector<HistorySeries>& series);

}  // namespace aisp::cli
