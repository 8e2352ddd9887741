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

/// `most` series at the most; those that did not change are left out first. Counts and `total` are of all.
Json history_json(const LookedBack& looked, const HistoryQuery& query,
                  const analysis::HistoryOptions& options,
                  std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace aisp::cli
