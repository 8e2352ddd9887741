// SPDX-License-Identifier: Apache-2.0
// Rung 9: two blocks fetch what both need once.
//
// Tiles one below the other need the same rows of B. Two blocks of a cluster fetch half of them each, and the
// copy engine writes it into the shared memory of both (multicast): 32 KB a step and block from the L2
// instead of 48. A stage is free when both blocks have left it: arrivals go to both. What to look for: bytes
// from the L2, down by a third, and the clocks that the chip keeps up for it.
#include "labs/hopper_matmul/cluster_launch.cuh"
#include "workloads/hopper/tensor_map.cuh"
#include "workloads/hopper/tile_order.h"

namespace aisp::hopper_matmul {
namespace {

using Tiles = Shape<256, 4, 2>;

__global__ void __launch_bounds__(kThreads, 1)
    multiply_cluster(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                     Product p) {
  extern __shared__ __align__(1024) std::byte shared_bytes[];
  auto& ring = *reinterpret_cast<Ring<Tiles>*>(shared_bytes);
  // Of tiles of two blocks: the lower one may lie beyond the matrix, where zeros are read and nothing is
  // stored.
  const hopper::TileGrid grid{hopper::tiles_for(p.m, Tiles::kCluster * kTileRows),
                              hopper::tiles_for(p.n, Tiles::kColumns)};
  const int steps = (p.k + kDepth - 1) / kDepth;
  const auto rank = static_cast<int>(hopper::cluster_rank());
  const auto begin = static_cast<int>(blockIdx.x) / Tiles::kCluster;
  const auto stride = static_cast<int>(gridDim.x) / Tiles::kCluster;
  if (threadIdx.x == 0) ring.init();
  hopper::cluster_barrier();  // the other block's barriers are ready

  Position<Tiles> at;
  const int group = hopper::group_index() - 1;
  if (group < 0) {
    hopper::keep_registers<kFetchRegisters>();
    if (threadIdx.x == 0) {
      for (int i = begin; i < grid.count(); i += stride) {
        const hopper::Tile tile = hopper::plain_tile(grid, i);
        fetch_tile(ring, a, b, (tile.row * Tiles::kCluster + rank) * kTileRows, tile.column * Tiles::kColumns,
                   steps, at);
      }
    }
  } else {
    hopper::take_registers<kMultiplyRegisters>();
    float sums[Tiles::kSums] = {};
    hopper::settle(sums);
    for (int i = begin; i < grid.count(); i += stride) {
      const hopper::Tile tile = hopper::plain_tile(grid, i);
      multiply_tile(ring, group, steps, at, sums);
      store_sums(p, (tile.row * Tiles::kCluster + rank) * kTileRows + group * kGroupRows,
                 tile.column * Tiles::kColumns, sums);
    }
  }
  hopper::cluster_barrier();  // the other block may still write here, and arrive
}

}  // namespace

void cluster(const Product& p, cudaStream_t stream) {
  if (!p.aligned()) return shared_tile(p, stream);
  constexpr unsigned kBytes = sizeof(Ring<Tiles>);
  static const int at_once = clusters_at_once(multiply_cluster, Tiles::kCluster, kBytes);
  const int tiles =
      hopper::tiles_for(p.m, Tiles::kCluster * kTileRows) * hopper::tiles_for(p.n, Tiles::kColumns);
  launch_clusters(std::min(tiles, at_once), Tiles::kCluster, kBytes, stream, multiply_cluster,
                  hopper::matrix_map(p.a, p.m, p.k, kTileRows),
                  hopper::matrix_map(p.b, p.n, p.k, Tiles::kColumns / Tiles::kCluster), p);
}

}  // namespace aisp::hopper_matmul
