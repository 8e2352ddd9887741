// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where the finished cells of a run stand in its record, without loading it: `load(run)->cells[place]` is
/// the cell whose event it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "aisp/core/result.h"
#include "aisp/store/store.h"

namespace aisp::store {

/// By the number of the event; of a cell that was finished twice, both.
Result<std::map<std::int64_t, std::size_t>> cell_places(Store& store, const std::string& run);

}  // namespace aisp::store
