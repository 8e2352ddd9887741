// SPDX-License-Identifier: Apache-2.0
/// \file
/// Adds the events of other stores: runs that were made on machines without a network, or by somebody else.
///
///   Result<MergeReport> report = merge(into, from);
///
/// An event keeps its id and its date and gets its place at the end of this chain; one that is there already
/// is left alone, so that merging twice changes nothing. A run that is here already and was pruned there
/// keeps the contents it has here. A run of the same name and other contents is refused by its name.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "aisp/core/result.h"
#include "aisp/store/store.h"

namespace aisp::store {

struct MergeReport {
  std::vector<std::string> runs;  ///< that were not here before, with their contents, in their order
  std::int64_t events = 0;        ///< that were added
  std::int64_t known = 0;         ///< that were here already
};

/// One transaction over all of them: everything or nothing. A store whose chain does not hold is refused.
Result<MergeReport> merge(Store& into, std::span<Store* const> from);
Result<MergeReport> merge(Store& into, Store& from);

}  // namespace aisp::store
