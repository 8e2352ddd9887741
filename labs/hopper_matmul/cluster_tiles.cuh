// SPDX-License-Identifier: Apache-2.0
/// \file
/// The kernel of rungs 10 and 11: clusters that stay, whose sums leave through shared memory and the copy
/// engine.
///
/// A warpgroup rounds 64 columns of its sums into a staging tile of its own and asks for it to be stored; the
/// next 64 go into the other one. It waits only for the store before last to have read its tile, and begins
/// with the next product while the last ones are still on their way.
#pragma once

#include "labs/hopper_matmul/cluster_launch.cuh"
#include "workloads/hopper/tensor_map.cuh"
#include "workloads/hopper/tile_order.h"

namespace aisp::hopper_matmul {

constexpr int kPartColumns = hopper::kRowValues;  ///< stored at once: a swizzled row

template <class Tiles>
struct alignas(hopper::kTileAlignment) Staging {
  static constexpr int kParts = Tiles::kColumns / kPartColumns;
  static constexpr int kTiles =
      kParts < 2 ? kParts : 2;  ///< used in turn, also from one tile of D to the next
  static_assert(kParts % kTiles == 0);
  std::byte tiles[kGroups][kTiles][kGroupRows * hopper::kRowBytes];
};

template <class Tiles>
struct StoredMemory {
  Staging<Tiles> staging;
  Ring<Tiles> ring;
};

/// By a warpgroup: its 64 rows of the tile at (row, column).
template <class Tiles>
__device__ __forceinline__ void store_staged(Staging<Tiles>& staging, const CUtensorMap& d, int group,
                                             int row, int column, const float (&sums)[Tiles::kSums]) {
  const bool asks = threadIdx.x % hopper::kGroupThreads == 0;
  const int barrier = 1 + group;
#pragma unroll
  for (int part = 0; part < Staging<Tiles>::kParts; ++part) {
    std::byte* tile = staging.tiles[group][part % Staging<Tiles>::kTiles];
    if (asks) hopper::wait_until_read<Staging<Tiles>::kTiles - 1>();
    hopper::group_barrier(barrier, hopper::kGroupThreads);  // the tile is free
    hopper::store_rounded(hopper::shared_address(tile), part * kPartColumns, sums);
    hopper::fence_writes_for_engines();
    hopper::group_barrier(barrier, hopper::kGroupThreads);  // and full
    if (asks) {
      hopper::store_tile(d, row, column + part * kPartColumns, tile);
      hopper::end_store_group();
    }
  }
}

/// Order::tile(grid, i) says which tile of two blocks is the i-th.
template <class Tiles, class Order>
__global__ void __launch_bounds__(kThreads, 1)
    multiply_stored(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                    const __grid_constant__ CUtensorMap d, int m, int n, int k) {
  extern __shared__ __align__(1024) std::byte shared_bytes[];
  auto& memory = *reinterpret_cast<StoredMemory<Tiles>*>(shared_bytes);
  Ring<Tiles>& ring = memory.ring;
  const hopper::TileGrid grid{hopper::tiles_for(m, Tiles::kCluster * kTileRows),
                              hopper::tiles_for(n, Tiles::kColumns)};
  const int steps = (k + kDepth - 1) / kDepth;
  const auto rank = static_cast<int>(hopper::cluster_rank());
  const auto begin = static_cast<int>(blockIdx.x) / Tiles::kCluster;
  const auto stride = static_cast<int>(gridDim.x) / Tiles::kCluster;
  if (threadIdx.x == 0) {
    hopper::prefetch_map(a);
    hopper::prefetch_map(b);
    hopper::prefetch_map(d);
    ring.init();
  }
  hopper::cluster_barrier();

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
      store_staged(memory.staging, d, group,
                   (tile.row * Tiles::kCluster + rank) * kTileRows + group * kGroupRows,
                   tile.column * Tiles::kColumns, sums);
    }
    if (threadIdx.x % hopper::kGroupThreads == 0) hopper::wait_until_stored();
  }
  hopper::cluster_barrier();
}

template <class Tiles, class Order>
void launch_stored(const Product& p, cudaStream_t stream) {
  constexpr unsigned kBytes = sizeof(StoredMemory<Tiles>);
  static_assert(kBytes <= 227 * 1024);
  static const int at_once = clusters_at_once(multiply_stored<Tiles, Order>, Tiles::kCluster, kBytes);
  const int tiles =
      hopper::tiles_for(p.m, Tiles::kCluster * kTileRows) * hopper::tiles_for(p.n, Tiles::kColumns);
  launch_clusters(std::min(tiles, at_once), Tiles::kCluster, kBytes, stream, multiply_stored<Tiles, Order>,
                  hopper::matrix_map(p.a, p.m, p.k, kTileRows),
                  hopper::matrix_map(p.b, p.n, p.k, Tiles::kColumns / Tiles::kCluster),
                  hopper::matrix_map(p.d, p.m, p.n, kGroupRows), p.m, p.n, p.k);
}

}  // namespace aisp::hopper_matmul
