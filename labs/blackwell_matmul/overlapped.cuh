// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rung 5: blocks that stay, and two sets of sums.
///
/// Tensor memory has 512 columns and a tile's sums take 256: while four warps read one set and store it, the
/// products of the block's next tile go into the other. The fetching warp runs ahead into that tile, as on
/// Hopper. What to look for: the tensor cores busy from a block's first tile to its last, as long as four
/// warps store 128 x 256 sums faster than k is multiplied; below some k they do not.
#pragma once

#include "labs/blackwell_matmul/roles.cuh"

namespace aisp::blackwell_matmul {

inline void overlapped(const Product& product, cudaStream_t stream) {
  launch_roles<LargeTiles, Alone, Strided, Straight>(product, stream);
}

}  // namespace aisp::blackwell_matmul
