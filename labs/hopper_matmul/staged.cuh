// SPDX-License-Identifier: Apache-2.0
/// \file
/// How sums leave from rung 10 on: through shared memory and the copy engine.
///
/// A warpgroup puts 128 bytes of each row of its sums into a staging tile of its own and asks for it to be
/// stored; the next go into the other one. It waits only for the store before last to have read its tile, and
/// begins with the next product while the last ones are still on their way.
#pragma once

#include "labs/hopper_matmul/tiles.cuh"
#include "workloads/hopper/tile_copy.cuh"

namespace aisp::hopper_matmul {

template <class Tiles>
struct alignas(hopper::kTileAlignment) Staged {
  static constexpr int kPartColumns = hopper::kRowBytes / sizeof(typename Tiles::Out);  ///< stored at once
  static constexpr int kParts = Tiles::kColumns / kPartColumns;
  static constexpr int kTiles = kParts < 2 ? kParts : 2;  ///< in turn, also from one tile of D to the next
  static_assert(kParts % kTiles == 0);
  std::byte tiles[kGroups][kTiles][kGroupRows * hopper::kRowBytes];

  /// By a warpgroup: its 64 rows of the tile at (row, column).
  __device__ __forceinline__ void store(const CUtensorMap& d, const typename Tiles::Problem& p, int group,
                                        int row, int column, float (&sums)[Tiles::kSums]) {
    const bool asks = threadIdx.x % hopper::kGroupThreads == 0;
    const int barrier = 1 + group;
    apply(sums_factor(p.scales), sums);
#pragma unroll
    for (int part = 0; part < kParts; ++part) {
      std::byte* tile = tiles[group][part % kTiles];
      if (asks) hopper::wait_until_read<kTiles - 1>();
      hopper::group_barrier(barrier, hopper::kGroupThreads);  // the tile is free
      if constexpr (sizeof(typename Tiles::Out) == 2) {
        hopper::store_rounded(hopper::shared_address(tile), part * kPartColumns, sums);
      } else {
        hopper::store_whole(hopper::shared_address(tile), part * kPartColumns, sums);
      }
      hopper::fence_writes_for_engines();
      hopper::group_barrier(barrier, hopper::kGroupThreads);  // and full
      if (asks) {
        hopper::store_tile(d, row, column + part * kPartColumns, tile);
        hopper::end_store_group();
      }
    }
  }
  __device__ __forceinline__ void finish() {
    if (threadIdx.x % hopper::kGroupThreads == 0) hopper::wait_until_stored();
  }
};

}  // namespace aisp::hopper_matmul
