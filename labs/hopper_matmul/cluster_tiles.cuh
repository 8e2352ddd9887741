// SPDX-License-Identifier: Apache-2.0
/// \file
/// The kernel of rungs 9, 10 and 11: clusters of blocks that stay, take tile after tile in some order, and
/// let the sums leave in some way.
///
///   launch_cluster_tiles<Shape<256, 4, 2>, RowAfterRow, Straight>(product, stream);
///
/// Order::tile(grid, i) says which tile of the cluster is the i-th. Ways to leave: Straight, from registers,
/// or Staged, through shared memory and the copy engine (staged.cuh).
#pragma once

#include "labs/hopper_matmul/cluster_launch.cuh"
#include "workloads/hopper/tensor_map.cuh"
#include "workloads/hopper/tile_order.h"

namespace aisp::hopper_matmul {

struct RowAfterRow {
  __device__ static hopper::Tile tile(hopper::TileGrid grid, int i) { return hopper::plain_tile(grid, i); }
};

/// From registers to device memory: the next product waits until all stores are issued.
template <class Tiles>
struct Straight {
  __device__ __forceinline__ void store(const CUtensorMap&, const typename Tiles::Problem& p, int, int row,
                                        int column, float (&sums)[Tiles::kSums]) {
    store_sums(p, row, column, sums);
  }
  __device__ __forceinline__ void finish() {}
};

template <class Tiles, template <class> class Leaving>
struct ClusterMemory {
  Leaving<Tiles> leaving;
  Ring<Tiles> ring;
};

template <class Tiles, class Order, template <class> class Leaving>
__global__ void __launch_bounds__(kThreads, 1)
    multiply_cluster_tiles(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                           const __grid_constant__ CUtensorMap d,
                           const __grid_constant__ typename Tiles::Problem p) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) std::byte shared_bytes[];
  auto& memory = *reinterpret_cast<ClusterMemory<Tiles, Leaving>*>(shared_bytes);
  Ring<Tiles>& ring = memory.ring;
  // Of tiles of all blocks of a cluster: the lower one may lie beyond the matrix, where zeros are read and
  // nothing is stored.
  const hopper::TileGrid grid{hopper::tiles_for(p.m, Tiles::kCluster * kTileRows),
                              hopper::tiles_for(p.n, Tiles::kColumns)};
  const int steps = hopper::tiles_for(p.k, Tiles::kDepth);
  const auto rank = static_cast<int>(hopper::cluster_rank());
  const auto begin = static_cast<int>(blockIdx.x) / Tiles::kCluster;
  const auto stride = static_cast<int>(gridDim.x) / Tiles::kCluster;
  if (threadIdx.x == 0) {
    hopper::prefetch_map(a);
    hopper::prefetch_map(b);
    hopper::prefetch_map(d);
    ring.init();
  }
  hopper::cluster_barrier();  // the other block's barriers are ready

  Position<Tiles> at;
  const int group = hopper::group_index() - 1;
  if (group < 0) {
    hopper::keep_registers<kFetchRegisters>();
    if (threadIdx.x == 0) {
      for (int i = begin; i < grid.count(); i += stride) {
        const hopper::Tile tile = Order::tile(grid, i);
        fetch_tile(ring, a, b, (tile.row * Tiles::kCluster + rank) * kTileRows, tile.column * Tiles::kColumns,
                   steps, at);
      }
    }
  } else {
    hopper::take_registers<kMultiplyRegisters>();
    float sums[Tiles::kSums] = {};
    hopper::settle(sums);
    for (int i = begin; i < grid.count(); i += stride) {
      const hopper::Tile tile = Order::tile(grid, i);
      multiply_tile(ring, group, steps, at, sums);
      memory.leaving.store(d, p, group, (tile.row * Tiles::kCluster + rank) * kTileRows + group * kGroupRows,
                           tile.column * Tiles::kColumns, sums);
    }
    memory.leaving.finish();
  }
  hopper::cluster_barrier();  // the other block may still write here, and arrive
#endif
}

template <class Tiles, class Order, template <class> class Leaving>
void launch_cluster_tiles(const typename Tiles::Problem& p, cudaStream_t stream) {
  constexpr unsigned kBytes = sizeof(ClusterMemory<Tiles, Leaving>);
  static_assert(kBytes <= 227 * 1024);
  constexpr auto kKernel = multiply_cluster_tiles<Tiles, Order, Leaving>;
  static const int at_once = clusters_at_once(kKernel, Tiles::kCluster, kThreads, kBytes);
  const int tiles =
      hopper::tiles_for(p.m, Tiles::kCluster * kTileRows) * hopper::tiles_for(p.n, Tiles::kColumns);
  launch_clusters({std::min(tiles, at_once), Tiles::kCluster, kThreads, kBytes, stream}, kKernel,
                  hopper::matrix_map(p.a, p.m, p.k, kTileRows),
                  hopper::matrix_map(p.b, p.n, p.k, Tiles::kColumns / Tiles::kCluster),
                  hopper::matrix_map(p.d, p.m, p.n, kGroupRows), p);
}

}  // namespace aisp::hopper_matmul
