// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rung 4: a warp that fetches, a warp that multiplies, four that store.
///
/// One thread did everything, and waited for a stage to be read before it could look whether the next one had
/// come. Now fetching and multiplying are threads of different warps, which wait for each other through the
/// ring's barriers alone. Nothing is gained in registers, as on Hopper: the sums were in none. What to look
/// for: how far the fetching warp is ahead; the tile still begins with an empty ring, and ends with idle
/// tensor cores.
#pragma once

#include "labs/blackwell_matmul/roles.cuh"

namespace aisp::blackwell_matmul {

inline void specialised(const Product& product, cudaStream_t stream) {
  launch_roles<LargeTiles, Alone, OneTile, Straight>(product, stream);
}

}  // namespace aisp::blackwell_matmul
