// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the rungs with mma.sync share: tiles of 64 rows in shared memory, and a warp's products of 16 rows.
///
/// A tile is one or two chunks of 64 columns, each swizzled as in workloads/hopper/layout.h, so that ldmatrix
/// meets no bank twice.
#pragma once

#include "workloads/ch10_pipelining/attention.cuh"
#include "workloads/hopper/fragment.cuh"
#include "workloads/hopper/warp_mma.cuh"

namespace aisp::attention {

constexpr int kTileRows = 64, kTileThreads = 128;
constexpr std::uint32_t kChunkBytes = kTileRows * hopper::kRowBytes;

/// Eight values one by one, for rows that do not begin at multiples of 16 bytes.
__device__ inline void copy_values(std::uint32_t to, const Bf16* from, int count) {
  std::uint32_t pairs[4];
  for (int i = 0; i < 4; ++i)
    pairs[i] = hopper::rounded_pair(2 * i < count ? __bfloat162float(from[2 * i]) : 0,
                                    2 * i + 1 < count ? __bfloat162float(from[2 * i + 1]) : 0);
  asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};"
               :
               : "r"(to), "r"(pairs[0]), "r"(pairs[1]), "r"(pairs[2]), "r"(pairs[3])
               : "memory");
}

/// Rows of `columns` values that begin every `pitch`, from row `first` of `rows`; zeros beyond. By all
/// threads, behind their backs: the caller waits. kAligned: columns and pitch are multiples of eight.
template <int kChunks, bool kAligned = true>
__device__ __forceinline__ void copy_rows(std::uint32_t tile, const Bf16* from, std::int64_t pitch, int first,
                                          int rows, int columns) {
#pragma unroll
  for (int i = 0; i < kChunks * kTileRows * 8 / kTileThreads; ++i) {
    const int at = static_cast<int>(threadIdx.x) + i * kTileThreads, row = at / (8 * kChunks),
              piece = at % (8 * kChunks);
    const bool inside = first + row < rows && piece * 8 < columns;
    const std::uint32_t to = tile + piece / 8 * kChunkBytes + hopper::swizzled(row, piece % 8 * 16);
    const Bf16* place = inside ? from + (first + row) * pitch + piece * 8 : from;
    if constexpr (kAligned) {
      hopper::copy_piece(to, place, inside);
    } else {
      copy_values(to, place, inside ? columns - piece * 8 : 0);
    }
  }
}

/// 16 rows from `row`, 16 columns from slice * 16: as the first input of a product.
__device__ __forceinline__ void rows_of(std::uint32_t (&a)[4], std::uint32_t tile, int row, int slice) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  hopper::load_matrices(a, tile + slice / 4 * kChunkBytes, row + lane % 16, slice % 4 * 2 + lane / 16);
}

/// sums += A B^T of one slice of k: B has kColumns rows.
template <int kColumns>
__device__ __forceinline__ void multiply_rows(float (&sums)[kColumns / 8][4], const std::uint32_t (&a)[4],
                                              std::uint32_t tile, int slice) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int j = 0; j < kColumns / 16; ++j) {
    std::uint32_t b[4];
    hopper::load_matrices(b, tile + slice / 4 * kChunkBytes, j * 16 + lane % 8 + lane / 16 * 8,
                          slice % 4 * 2 + lane / 8 % 2);
    hopper::multiply_16x8(sums[2 * j], a, b[0], b[1]);
    hopper::multiply_16x8(sums[2 * j + 1], a, b[2], b[3]);
  }
}

/// sums += A B of one slice of k: B's rows are k, with kColumns values each.
template <int kColumns>
__device__ __forceinline__ void multiply_turned(float (&sums)[kColumns / 8][4], const std::uint32_t (&a)[4],
                                                std::uint32_t tile, int slice) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int j = 0; j < kColumns / 16; ++j) {
    std::uint32_t b[4];
    hopper::load_turned_matrices(b, tile + j / 4 * kChunkBytes, slice * 16 + lane % 16,
                                 j % 4 * 2 + lane / 16);
    hopper::multiply_16x8(sums[2 * j], a, b[0], b[1]);
    hopper::multiply_16x8(sums[2 * j + 1], a, b[2], b[3]);
  }
}

/// Rows `row` + lane / 4 and eight further, times their factors, to a row-major matrix of rows x columns.
template <int kColumns>
__device__ __forceinline__ void store_rows(Bf16* to, int row, int rows, int columns,
                                           const float (&sums)[kColumns / 8][4], const float (&factor)[2]) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int at = row + lane / 4 + half * 8;
    if (at >= rows) continue;
#pragma unroll
    for (int j = 0; j < kColumns / 8; ++j) {
      const int column = j * 8 + lane % 4 * 2;
      Bf16* place = to + std::int64_t{at} * columns + column;
      const float x = sums[j][2 * half] * factor[half], y = sums[j][2 * half + 1] * factor[half];
      if (column + 1 < columns && columns % 2 == 0) {
        *reinterpret_cast<std::uint32_t*>(place) = hopper::rounded_pair(x, y);
      } else {
        if (column < columns) place[0] = __float2bfloat16_rn(x);
        if (column + 1 < columns) place[1] = __float2bfloat16_rn(y);
      }
    }
  }
}

}  // namespace aisp::attention
