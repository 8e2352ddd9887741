// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rung 2: a ring of steps.
///
/// Several steps are on their way while one is multiplied. A barrier a stage counts the bytes that come;
/// another gets an arrival from the matrix units themselves (tcgen05.commit) when they have read the stage.
/// The thread asks for the products of a step first, and only then waits for those of the step before, to
/// fetch into their stage: the tensor cores always have something queued. What to look for: the tensor cores
/// busy from the first step to the last of a tile, and idle while its sums leave.
#pragma once

#include "labs/blackwell_matmul/block_tiles.cuh"

namespace aisp::blackwell_matmul {

template <class Tiles>
__global__ void __launch_bounds__(kTileThreads)
    multiply_ring(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                  const __grid_constant__ Product p) {
#ifdef AISP_TCGEN05
  auto& memory = blackwell::block_memory<BlockMemory<Tiles>>();
  const hopper::Tile tile = hopper::plain_tile(tile_grid<Tiles>(p), static_cast<int>(blockIdx.x));
  const int row = tile.row * Tiles::kRows, column = tile.column * Tiles::kColumns;
  const int steps = hopper::tiles_for(p.k, kDepth);
  begin(memory);
  if (threadIdx.x < 32 && blackwell::elected()) {
    for (int step = 0; step < Tiles::kStages && step < steps; ++step)
      fetch_step(memory, a, b, row, column, step, step);
    Position<Tiles::kStages> at, before;
    for (int step = 0; step < steps; ++step, at.advance()) {
      memory.full[at.index].wait(at.phase);
      multiply_stage(memory, at.index, step > 0);
      if (step == 0) continue;
      const int next = step - 1 + Tiles::kStages;  // into the stage of the step before
      if (next < steps) {
        memory.empty[before.index].wait(before.phase);
        fetch_step(memory, a, b, row, column, next, before.index);
      }
      before.advance();
    }
    blackwell::arrive_when_multiplied(memory.finished);
  }
  end(memory, p, row, column);
#endif
}

inline void ring(const Product& product, cudaStream_t stream) {
  launch_block_tiles<RingTiles>(multiply_ring<RingTiles>, product, stream);
}

}  // namespace aisp::blackwell_matmul
