// SPDX-License-Identifier: Apache-2.0
/// \file
/// How a block's 128 rows of sums leave: four warps read them from tensor memory, round them and store them.
///
/// Straight: a thread has a row, and stores 16 bytes of it at a time. Staged: through shared memory and the
/// copy engine, whose stores are whole lines; what lies beyond the matrix it drops. Both are called by warps
/// 0 to 3, and call `read()` when the warp has read its sums, so that the next product may begin.
#pragma once

#include <cstddef>
#include <cstdint>

#include "labs/blackwell_matmul/tile_shape.h"
#include "labs/hopper_matmul/product.cuh"
#include "workloads/blackwell/tensor_memory.cuh"
#include "workloads/hopper/fragment.cuh"
#include "workloads/hopper/tile_copy.cuh"

namespace aisp::blackwell_matmul {

using hopper_matmul::Product;

/// Where a block's sums are, and where they go.
struct Sums {
  std::uint32_t address;  ///< in tensor memory
  int row, column;        ///< of D, of the first
};

/// Eight of 32 columns, rounded. `piece` is a constant after unrolling.
__device__ __forceinline__ uint4 rounded_piece(const float (&sums)[blackwell::kLoadColumns], int piece) {
  const float* s = sums + piece * 8;
  return {hopper::rounded_pair(s[0], s[1]), hopper::rounded_pair(s[2], s[3]),
          hopper::rounded_pair(s[4], s[5]), hopper::rounded_pair(s[6], s[7])};
}

/// By four warps, from registers to device memory.
template <int kColumns, class Read>
__device__ __forceinline__ void store_straight(const Product& p, const Sums& from, Read read) {
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll 1
  for (int first = 0; first < kColumns; first += blackwell::kLoadColumns) {
    float sums[blackwell::kLoadColumns];
    __syncwarp();
    blackwell::load_columns(blackwell::memory_address(from.address, blackwell::first_lane(warp), first),
                            sums);
    if (first + blackwell::kLoadColumns == kColumns) read();
    const hopper::Place at = blackwell::loaded_place(0, warp, lane, first, 0);
    const int row = from.row + at.row, column = from.column + at.column;
    auto* to = p.d + std::int64_t{row} * p.n + column;
#pragma unroll
    for (int piece = 0; piece < blackwell::kLoadColumns / 8; ++piece) {
      if (row < p.m && column + piece * 8 < p.n)
        *reinterpret_cast<uint4*>(to + piece * 8) = rounded_piece(sums, piece);
    }
  }
}

struct Straight {
  struct Memory {};

  template <int kColumns, class Read>
  __device__ __forceinline__ static void store(Memory&, const CUtensorMap&, const Product& p,
                                               const Sums& from, Read read) {
    store_straight<kColumns>(p, from, read);
  }
  __device__ __forceinline__ static void finish() {}
};

struct Staged {
  struct alignas(blackwell::kTileAlignment) Memory {
    std::byte tiles[kStoringWarps][kStagedTiles][kStagedBytes];
  };

  /// A warp stores its own 32 rows: warps need not meet. It waits only for its store before last to have read
  /// its tile.
  template <int kColumns, class Read>
  __device__ __forceinline__ static void store(Memory& memory, const CUtensorMap& d, const Product&,
                                               const Sums& from, Read read) {
    static_assert(kColumns % (kStagedColumns * kStagedTiles) == 0);
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    const int first_lane = blackwell::first_lane(warp);
#pragma unroll 1
    for (int part = 0; part < kColumns; part += kStagedColumns) {
      std::byte* tile = memory.tiles[warp][part / kStagedColumns % kStagedTiles];
      if (lane == 0) hopper::wait_until_read<kStagedTiles - 1>();
      __syncwarp();  // the tile is free
#pragma unroll
      for (int first = 0; first < kStagedColumns; first += blackwell::kLoadColumns) {
        float sums[blackwell::kLoadColumns];
        blackwell::load_columns(blackwell::memory_address(from.address, first_lane, part + first), sums);
#pragma unroll
        for (int piece = 0; piece < blackwell::kLoadColumns / 8; ++piece)
          *reinterpret_cast<uint4*>(tile + blackwell::staged_piece(lane, first, piece)) =
              rounded_piece(sums, piece);
      }
      if (part + kStagedColumns == kColumns) read();
      hopper::fence_writes_for_engines();
      __syncwarp();  // and full
      if (lane == 0) {
        hopper::store_tile(d, from.row + first_lane, from.column + part, tile);
        hopper::end_store_group();
      }
    }
  }
  /// Shared memory must not end before the stores have read it.
  __device__ __forceinline__ static void finish() {
    if (threadIdx.x % 32 == 0) hopper::wait_until_stored();
  }
};

}  // namespace aisp::blackwell_matmul
