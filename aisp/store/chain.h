// SPDX-License-Identifier: Apache-2.0
/// \file
/// Proves that the store holds what was written, all of it, in the order it was written.
///
///   Result<ChainReport> report = check_chain(store);
///   if (report && report->broken) print(report->broken->what);
///
/// Finds what was changed, removed, inserted or reordered afterwards; it cannot find a chain that somebody
/// wrote anew from the beginning. Verdicts are re-derived elsewhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "aisp/core/result.h"
#include "aisp/store/store.h"

namespace aisp::store {

/// The first event that does not hold.
struct BrokenEvent {
  std::int64_t seq = 0;  ///< 0: the store as a whole
  std::string run;
  std::string kind;
  std::string what;  ///< in words
};

struct ChainReport {
  std::int64_t events = 0;       ///< that hold
  std::int64_t pruned = 0;       ///< of them, without their payload
  std::int64_t clock_steps = 0;  ///< times the wall clock went back within a run; order is not affected
  std::string head;              ///< hash of the last event: note it elsewhere to detect a chain written anew
  std::optional<BrokenEvent> broken;
};

/// Reads every event once, in one snapshot: other processes may go on writing.
Result<ChainReport> check_chain(Store& store);

}  // namespace aisp::store
