// SPDX-License-Identifier: Apache-2.0
/// \file
/// What was added to a store, by whatever process, since an event: for those who watch it.
///
///   Result<std::vector<FeedEvent>> news = events_after(store, last);
///   if (!news->empty()) last = news->back().seq;
///
/// Asked a few times a second: it reads columns, never payloads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "aisp/core/fields.h"
#include "aisp/core/result.h"
#include "aisp/store/store.h"

namespace aisp::store {

struct FeedEvent {
  std::int64_t seq = 0;
  std::string kind;  ///< "run_started", "cell_finished", ... (event.h)
  std::string run, workload, parameters, device, hardware, validity;  ///< empty = not said
  std::string created;                                                ///< UTC
  AISP_FIELDS(seq, kind, run, workload, parameters, device, hardware, validity, created)
};

/// In their order, at most `limit`.
Result<std::vector<FeedEvent>> events_after(Store& store, std::int64_t seq, std::size_t limit = 1000);

/// Of the newest; 0 in an empty store. Events are only appended: the same number is the same content.
Result<std::int64_t> last_event(Store& store);

struct StoreCounts {
  std::int64_t runs = 0, cells = 0, last_event = 0;
  AISP_FIELDS(runs, cells, last_event)
};
/// Runs that were not pruned, and finished cells.
Result<StoreCounts> counts(Store& store);

/// Of which there are finished cells, sorted.
Result<std::vector<std::string>> hardware_with_results(Store& store);

}  // namespace aisp::store
