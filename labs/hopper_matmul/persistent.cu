// SPDX-License-Identifier: Apache-2.0
// Rung 8: blocks that stay.
//
// One block a multiprocessor, which takes tile after tile. The fetching warp runs ahead into the next tile
// while the others still multiply and store this one: only the first tile of a block starts with an empty
// ring. What to look for: the gap between a tile's last product and the next one's first.
#include "labs/hopper_matmul/ring.cuh"
#include "labs/hopper_matmul/rungs.cuh"
#include "workloads/cuda_launch.cuh"
#include "workloads/hopper/tensor_map.cuh"
#include "workloads/hopper/tile_order.h"

namespace aisp::hopper_matmul {
namespace {

using Tiles = Shape<256, 4>;

__global__ void __launch_bounds__(kThreads, 1)
    multiply_persistent(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                        Product p) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) std::byte shared_bytes[];
  auto& ring = *reinterpret_cast<Ring<Tiles>*>(shared_bytes);
  const hopper::TileGrid grid{hopper::tiles_for(p.m, kTileRows), hopper::tiles_for(p.n, Tiles::kColumns)};
  const int steps = (p.k + Tiles::kDepth - 1) / Tiles::kDepth;
  const auto stride = static_cast<int>(gridDim.x);
  if (threadIdx.x == 0) ring.init();
  __syncthreads();

  Position<Tiles> at;
  const int group = hopper::group_index() - 1;
  if (group < 0) {
    hopper::keep_registers<kFetchRegisters>();
    if (threadIdx.x == 0) {
      for (auto i = static_cast<int>(blockIdx.x); i < grid.count(); i += stride) {
        const hopper::Tile tile = hopper::plain_tile(grid, i);
        fetch_tile(ring, a, b, tile.row * kTileRows, tile.column * Tiles::kColumns, steps, at);
      }
    }
  } else {
    hopper::take_registers<kMultiplyRegisters>();
    float sums[Tiles::kSums] = {};
    hopper::settle(sums);
    for (auto i = static_cast<int>(blockIdx.x); i < grid.count(); i += stride) {
      const hopper::Tile tile = hopper::plain_tile(grid, i);
      multiply_tile(ring, group, steps, at, sums);
      store_sums(p, tile.row * kTileRows + group * kGroupRows, tile.column * Tiles::kColumns, sums);
    }
  }
#endif
}

}  // namespace

void persistent(const Product& p, cudaStream_t stream) {
  if (!p.aligned()) return shared_tile(p, stream);
  constexpr unsigned kBytes = sizeof(Ring<Tiles>);
  static const cudaError_t allowed =
      cudaFuncSetAttribute(multiply_persistent, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
  static const unsigned processors = gpu::processors();
  gpu::check(allowed, "allowing the ring of tiles its shared memory");
  const unsigned tiles = gpu::blocks_for(p.m, kTileRows) * gpu::blocks_for(p.n, Tiles::kColumns);
  const unsigned blocks = tiles < processors ? tiles : processors;
  multiply_persistent<<<blocks, kThreads, kBytes, stream>>>(
      hopper::matrix_map(p.a, p.m, p.k, kTileRows), hopper::matrix_map(p.b, p.n, p.k, Tiles::kColumns), p);
  gpu::check_launch("multiplying by blocks that stay");
}

}  // namespace aisp::hopper_matmul
