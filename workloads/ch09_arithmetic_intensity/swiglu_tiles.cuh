// SPDX-License-Identifier: Apache-2.0
/// \file
/// The fused kernel of ch09/swiglu_epilogue: labs/hopper_matmul's last rung with another way to fetch B and
/// another end.
///
/// A tile has 128 rows and 256 columns of sums: 128 of the gate, 128 of `up`, for the same columns of the
/// result. Of the two blocks of a cluster one brings the rows of the gate's weights, the other those of `up`,
/// each for both. Then every thread finds a column's gate and its `up` 64 sums apart among its own, and what
/// leaves is half as wide as what was summed.
#pragma once

#include "labs/hopper_matmul/cluster_tiles.cuh"
#include "labs/hopper_matmul/staged.cuh"

namespace aisp::swiglu_epilogue {

namespace gemm = hopper_matmul;
using Sums = gemm::Shape<256, 4, 2>;    ///< what is multiplied
using Result = gemm::Shape<128, 4, 2>;  ///< what is stored
constexpr int kBand = 8;

struct alignas(hopper::kTileAlignment) Memory {
  gemm::Staged<Result> staged;
  gemm::Ring<Sums> ring;
};

/// g sigmoid(g), with an exponential and a reciprocal of 22 bits: the result is rounded to 8.
__device__ __forceinline__ float silu(float g) { return __fdividef(g, 1 + __expf(-g)); }

/// By one thread: all steps of the tile of the result at (row, column), as soon as there is room.
__device__ __forceinline__ void fetch_both(gemm::Ring<Sums>& ring, const CUtensorMap& x,
                                           const CUtensorMap& weights, int row, int column, int steps,
                                           gemm::Position<Sums>& at) {
  constexpr int kHalf = Result::kColumns;
  const int part = static_cast<int>(hopper::cluster_rank()) * kHalf;
  for (int step = 0; step < steps; ++step, at.advance()) {
    hopper::Barrier& full = ring.full[at.stage];
    ring.empty[at.stage].wait(at.phase ^ 1);
    full.arrive_expecting(Sums::kStepBytes);  // the other block's half too
    hopper::load_tile(ring.stages.a[at.stage], x, row, step * Sums::kDepth, full);
    hopper::load_tile_for(3, ring.stages.b[at.stage] + part * hopper::kRowBytes, weights, column,
                          step * Sums::kDepth, full);
  }
}

__global__ void __launch_bounds__(gemm::kThreads, 1)
    multiply_gated(const __grid_constant__ CUtensorMap x, const __grid_constant__ CUtensorMap gate,
                   const __grid_constant__ CUtensorMap up, const __grid_constant__ CUtensorMap y, int m,
                   int n, int k) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) std::byte shared_bytes[];
  auto& memory = *reinterpret_cast<Memory*>(shared_bytes);
  gemm::Ring<Sums>& ring = memory.ring;
  const hopper::TileGrid grid{hopper::tiles_for(m, Sums::kCluster * gemm::kTileRows),
                              hopper::tiles_for(n, Result::kColumns)};
  const int steps = hopper::tiles_for(k, Sums::kDepth);
  const auto rank = static_cast<int>(hopper::cluster_rank());
  const auto begin = static_cast<int>(blockIdx.x) / Sums::kCluster;
  const auto stride = static_cast<int>(gridDim.x) / Sums::kCluster;
  if (threadIdx.x == 0) {
    hopper::prefetch_map(x);
    hopper::prefetch_map(rank == 0 ? gate : up);
    hopper::prefetch_map(y);
    ring.init();
  }
  hopper::cluster_barrier();

  gemm::Position<Sums> at;
  const int group = hopper::group_index() - 1;
  if (group < 0) {
    hopper::keep_registers<gemm::kFetchRegisters>();
    if (threadIdx.x == 0) {
      for (int i = begin; i < grid.count(); i += stride) {
        const hopper::Tile tile = hopper::banded_tile(grid, kBand, i);
        fetch_both(ring, x, rank == 0 ? gate : up, (tile.row * Sums::kCluster + rank) * gemm::kTileRows,
                   tile.column * Result::kColumns, steps, at);
      }
    }
  } else {
    hopper::take_registers<gemm::kMultiplyRegisters>();
    float sums[Sums::kSums] = {};
    hopper::settle(sums);
    for (int i = begin; i < grid.count(); i += stride) {
      const hopper::Tile tile = hopper::banded_tile(grid, kBand, i);
      gemm::multiply_tile(ring, group, steps, at, sums);
      float results[Result::kSums];
#pragma unroll
      for (int s = 0; s < Result::kSums; ++s) results[s] = silu(sums[s]) * sums[s + Result::kSums];
      memory.staged.store(y, {}, group,
                          (tile.row * Sums::kCluster + rank) * gemm::kTileRows + group * gemm::kGroupRows,
                          tile.column * Result::kColumns, results);
    }
    memory.staged.finish();
  }
  hopper::cluster_barrier();
#endif
}

}  // namespace aisp::swiglu_epilogue
