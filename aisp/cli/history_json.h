// SPDX-License-Identifier: Apache-2.0
/// \file
/// A history as `aisp history --json` prints it: every point, every change and what settled it.
///
/// Include it in .cpp files only, as wire/json.h.
#pragma once

#include <limits>

#include "aisp/analysis/history.h"
#include "aisp/cli/history_query.h"
#include "aisp/wire/json.h"

namespace aisp::cli {

/// How long a document may get.
struct HistoryLimits {
  std::size_t series = std::numeric_limits<std::size_t>::max();
  std::size_t points = std::numeric_limits<std::size_t>::max();  ///< of each series, the newest
};

/// Series that did not change are left out first. Of a series that is cut, `points_before` and
/// `changes_before` say how many points and changes came before those that are shown; places are counted from
/// the first that is shown. Counts and `total` are of all.
Json history_json(const LookedBack& looked, const HistoryQuery& query,
                  const analysis::HistoryOptions& options, const HistoryLimits& limits = {});

}  // namespace aisp::cli
