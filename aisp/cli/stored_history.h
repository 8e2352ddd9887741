// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a store holds about the past of one kind of hardware: series of results, and the runs that measured
/// two builds against each other.
///
///   Result<StoredHistory> past = stored_history(store, {.hardware = key, .since = "2026-11-01"});
///
/// The one place that knows how results are read for a history; everything behind it works on series.
#pragma once

#include <string>
#include <vector>

#include "aisp/core/history.h"
#include "aisp/core/result.h"
#include "aisp/store/store.h"

namespace aisp::cli {

struct HistoryQuery {
  std::string hardware;
  std::vector<std::string> variants;  ///< empty: all of them
  std::string device;                 ///< empty: any
  std::string since;                  ///< UTC; empty: from the beginning
  bool unproven = false;              ///< take results that lack a fact, too
  std::vector<std::string> commits;   ///< oldest first: the order, and the only ones; empty: order by time
};

struct StoredHistory {
  std::vector<HistorySeries> series;  ///< by workload, size, device, cache and variant
  std::vector<PairedRevisions> paired;
  int not_valid = 0;   ///< results left out because a guard rejected them or they are unproven
  int not_listed = 0;  ///< results left out because their commit is not among those named
};

/// Reads every run of the hardware since then, raw samples and all: the cost follows the number of cells.
Result<StoredHistory> stored_history(store::Store& results, const HistoryQuery& query);

/// The hardware of which the store has results and whose name holds this text, whatever the case.
Result<std::string> hardware_in(store::Store& results, const std::string& asked);

}  // namespace aisp::cli
