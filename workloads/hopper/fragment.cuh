// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sums of wgmma, rounded to bf16 or as they are, from registers to shared memory: as the swizzled tile that
/// the copy engine stores from.
#pragma once

#include <cuda_bf16.h>

#include <cstdint>

#include "workloads/hopper/layout.h"
#include "workloads/hopper/mbarrier.cuh"

namespace aisp::hopper {

/// Two neighbours of a row, the first in the lower half.
__device__ __forceinline__ std::uint32_t rounded_pair(float first, float second) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(first, second);
  return reinterpret_cast<const std::uint32_t&>(pair);
}

/// Four matrices of 8 x 8 values; lane l names row l % 8 of matrix l / 8, and holds two values of row l / 4
/// of each.
__device__ __forceinline__ void store_matrices(std::uint32_t address, std::uint32_t m0, std::uint32_t m1,
                                               std::uint32_t m2, std::uint32_t m3) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};"
               :
               : "r"(address), "r"(m0), "r"(m1), "r"(m2), "r"(m3)
               : "memory");
}

/// Columns `first` to `first` + 63, constants after inlining, of a warpgroup's 64 rows (of a warp's 16, where
/// `tile` is its own 16 rows' and `warp` is 0) into the tile at shared address `tile`. The swizzle has every
/// eight rows of a matrix in different banks.
template <int kSums>
__device__ __forceinline__ void store_rounded(std::uint32_t tile, int first, const float (&sums)[kSums],
                                              int warp) {
  const PieceOfLane mine = piece_of_lane(static_cast<int>(threadIdx.x) % 32);
  const auto row = static_cast<std::uint32_t>(warp * 16 + mine.row);
#pragma unroll
  for (int c = 0; c < kRowValues; c += 16) {
    const int i = (first + c) / 2;  // of the first sum of these 16 columns
    store_matrices(tile + swizzled(row, static_cast<std::uint32_t>(c * 2 + mine.piece * 16)),
                   rounded_pair(sums[i], sums[i + 1]), rounded_pair(sums[i + 2], sums[i + 3]),
                   rounded_pair(sums[i + 4], sums[i + 5]), rounded_pair(sums[i + 6], sums[i + 7]));
  }
}
template <int kSums>
__device__ __forceinline__ void store_rounded(std::uint32_t tile, int first, const float (&sums)[kSums]) {
  store_rounded(tile, first, sums, static_cast<int>(threadIdx.x) % 128 / 32);
}

/// The same without rounding, and so of 32 columns. Two rows of eight share their banks here: as slow as
/// stores of 4 bytes each, and still nothing beside the product.
template <int kSums>
__device__ __forceinline__ void store_whole(std::uint32_t tile, int first, const float (&sums)[kSums]) {
  const Place mine = sum_place(static_cast<int>(threadIdx.x) % 128, 0);
#pragma unroll
  for (int c = 0; c < 32; c += 8) {
#pragma unroll
    for (int below = 0; below < 2; ++below) {
      const int i = (first + c) / 2 + below * 2;
      const std::uint32_t at = tile + swizzled(static_cast<std::uint32_t>(mine.row + below * 8),
                                               static_cast<std::uint32_t>((c + mine.column) * 4));
      asm volatile("st.shared.v2.f32 [%0], {%1, %2};" : : "r"(at), "f"(sums[i]), "f"(sums[i + 1]) : "memory");
    }
  }
}

}  // namespace aisp::hopper
