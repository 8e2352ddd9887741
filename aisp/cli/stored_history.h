// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a store holds about the past of one kind of hardware: series of results, and the runs that measured
/// two builds against each other.
///
///   RunBeginnings beginnings;
///   Result<std::vector<PairedRevisions>> pairs = stored_pairs(store, query, beginnings);
///   Result<HistoryLeftOut> left_out =
///       each_series(store, query, beginnings, [&](HistorySeries&& series) { ... });
///
/// The one place that knows how results are read for a history; everything behind it works on series.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "aisp/cli/run_beginnings.h"
#include "aisp/core/history.h"
#include "aisp/core/result.h"
#include "aisp/store/store.h"

namespace aisp::cli {

struct HistoryQuery {
  std::string hardware;
  std::vector<std::string> workloads;  ///< exact; empty: all of them
  std::vector<std::string> variants;   ///< empty: all of them
  std::string device;                  ///< empty: any
  std::string since;                   ///< UTC; empty: from the beginning
  bool unproven = false;               ///< take results that lack a fact, too
  bool changed = false;                ///< leave out series in which nothing changed
  std::vector<std::string> commits;    ///< oldest first: the order, and the only ones; empty: order by time
};

/// Results that became no point.
struct HistoryLeftOut {
  int not_valid = 0;   ///< a guard rejected them, or they are unproven
  int not_listed = 0;  ///< their commit is not among those named
};

/// By workload, size, device, cache and variant, one at a time. Reads figures and the beginnings of runs, no
/// samples. `changed` is the caller's to heed.
Result<HistoryLeftOut> each_series(store::Store& results, const HistoryQuery& query,
                                   RunBeginnings& beginnings,
                                   const std::function<void(HistorySeries&&)>& visit);

/// Newest first. Reads the runs of two builds whole: their ratios come from their samples.
Result<std::vector<PairedRevisions>> stored_pairs(store::Store& results, const HistoryQuery& query,
                                                  RunBeginnings& beginnings);

/// The hardware of which the store has results and whose name holds this text, whatever the case.
Result<std::string> hardware_in(store::Store& results, const std::string& asked);

}  // namespace aisp::cli
