// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether the table of figures says what the events say: every row derived again and compared.
///
///   Result<FiguresReport> report = check_figures(store);
///   if (report && !report->differing.empty()) ...   // derive_figures_again(store)
///
/// Rests on the events: check_chain() proves those.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "aisp/core/result.h"
#include "aisp/store/store.h"

namespace aisp::store {

struct FiguresReport {
  bool current = false;                ///< false: not derived yet, or behind; nothing was compared
  std::int64_t rows = 0;               ///< that the events give
  std::vector<std::string> differing;  ///< "event 7: the row of 'tiled' is missing", the first few
};

/// In one snapshot, a cell at a time.
Result<FiguresReport> check_figures(Store& store);

/// Throws away what is there and derives all of it from the events.
Status derive_figures_again(Store& store, const CatchingUp& told = {});

}  // namespace aisp::store
