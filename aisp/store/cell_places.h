// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where the finished cells of a run stand in its record, without loading it: `load(run)->cells[place]` is
/// the cell whose event it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "aisp/core/result.h"
#include "aisp/store/store.h"

namespace aisp::store {

struct CellPlaces {
  std::map<std::int64_t, std::size_t> by_event;  ///< of a cell that was finished twice, both
  std::size_t cells = 0;                         ///< with those that were started and not finished

  /// The event of the cell that stands there, the later of two; nothing where it was not finished.
  std::optional<std::int64_t> event_at(std::size_t place) const;
};
/// By the run's whole id.
Result<CellPlaces> cell_places(Store& store, const std::string& run);

}  // namespace aisp::store
