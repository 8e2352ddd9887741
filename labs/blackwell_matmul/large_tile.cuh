// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rung 3: a larger tile, 128 x 256, the most that one instruction of one block does.
///
/// At 8192 flops a clock, which is what 2.25 PFLOP/s by 148 multiprocessors at 1.85 GHz comes to, 128 x 128 x
/// 16 takes 64 clocks and reads 8 KB of shared memory: 128 bytes a clock, all that shared memory has, with
/// nothing left for the copy engine's writes. 128 x 256 x 16 takes 128 clocks and reads 12 KB: 96. The sums
/// cost no registers here, so the large tile costs nothing but the ring's depth. What to look for: the rate
/// within a tile.
#pragma once

#include "labs/blackwell_matmul/ring.cuh"

namespace aisp::blackwell_matmul {

inline void large_tile(const Product& product, cudaStream_t stream) {
  launch_block_tiles<LargeTiles>(multiply_ring<LargeTiles>, product, stream);
}

}  // namespace aisp::blackwell_matmul
