// SPDX-License-Identifier: Apache-2.0
/// \file
/// Frees the space of old runs and keeps the chain: an event says that the run was pruned, then the payloads
/// of its events go. Their hashes stay, and the chain is made of hashes.
///
///   Result<PruneReport> report = prune(store, {.keep_newest = 100, .dry_run = true});
///
/// Not deletion: that a run took place, of which workloads and when, remains on record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "aisp/core/result.h"
#include "aisp/store/store.h"

namespace aisp::store {

/// A run is pruned when it meets every condition that is given; at least one must be.
struct PruneOptions {
  std::optional<std::size_t> keep_newest;
  std::optional<std::string> older_than;  ///< "2026-01-31", UTC, by the date on which the run was stored
  bool dry_run = false;                   ///< only say what would go
};

struct PruneReport {
  std::vector<std::string> runs;  ///< newest first
  std::int64_t events = 0;
  std::int64_t bytes = 0;  ///< of payload
};

/// One transaction: all of the runs or none.
Result<PruneReport> prune(Store& store, const PruneOptions& options);

}  // namespace aisp::store
