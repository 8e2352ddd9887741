// SPDX-License-Identifier: Apache-2.0
/// \file
/// Loads that another block's barrier counts, emulated.
#pragma once

#include "workloads/hopper/tile_copy.cuh"

namespace aisp::blackwell {

inline void load_tile_of_pair(void* to, const CUtensorMap& map, int row, int column, std::uint32_t arrived) {
  hopper::load_tile_counted(to, map, row, column, arrived);
}

}  // namespace aisp::blackwell
