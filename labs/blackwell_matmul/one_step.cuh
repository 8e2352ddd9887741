// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rung 1, the baseline: Blackwell's matrix instruction, a step at a time.
///
/// tcgen05.mma is asked for by one thread and takes everything else from where it lies: 128 rows of A and 128
/// of B from shared memory, as the copy engine wrote them, and the sums from tensor memory. No thread holds
/// a sum until all of k is done: then four warps read 32 lanes each. The thread fetches a step, waits for it,
/// asks for its four products and waits for those. What to look for: the copy engine idle while the tensor
/// cores work, and the other way round.
#pragma once

#include "labs/blackwell_matmul/block_tiles.cuh"

namespace aisp::blackwell_matmul {

template <class Tiles>
__global__ void __launch_bounds__(kTileThreads)
    multiply_one_step(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                      const __grid_constant__ Product p) {
#ifdef AISP_TCGEN05
  auto& memory = blackwell::block_memory<BlockMemory<Tiles>>();
  const hopper::Tile tile = hopper::plain_tile(tile_grid<Tiles>(p), static_cast<int>(blockIdx.x));
  const int row = tile.row * Tiles::kRows, column = tile.column * Tiles::kColumns;
  const int steps = hopper::tiles_for(p.k, kDepth);
  begin(memory);
  if (threadIdx.x < 32 && blackwell::elected()) {
    for (int step = 0; step < steps; ++step) {
      fetch_step(memory, a, b, row, column, step, 0);
      memory.full[0].wait(step & 1);
      multiply_stage(memory, 0, step > 0);
      memory.empty[0].wait(step & 1);
    }
    blackwell::arrive_when_multiplied(memory.finished);
  }
  end(memory, p, row, column);
#endif
}

inline void one_step(const Product& product, cudaStream_t stream) {
  launch_block_tiles<StepTiles>(multiply_one_step<StepTiles>, product, stream);
}

}  // namespace aisp::blackwell_matmul
