// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the rungs with wgmma share: how a block's tiles lie in shared memory, one step along k of a
/// warpgroup, and its sums straight to global memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "labs/hopper_matmul/product.cuh"
#include "workloads/hopper/cluster.cuh"
#include "workloads/hopper/fragment.cuh"
#include "workloads/hopper/layout.h"
#include "workloads/hopper/mbarrier.cuh"
#include "workloads/hopper/wgmma.cuh"

namespace aisp::hopper_matmul {

constexpr int kTileRows = 128;                   ///< of A and D, in every rung from here on
constexpr int kGroupRows = 64;                   ///< of a warpgroup: two share a tile
constexpr int kGroups = kTileRows / kGroupRows;  ///< that multiply

/// A tile of D has kTileRows x kN elements; kRing steps along k are in shared memory; kBlocks blocks, whose
/// tiles lie one below the other, share the rows of B.
template <int kN, int kRing, int kBlocks = 1, class ProductType = Product>
struct Shape {
  using Problem = ProductType;
  using In = typename Problem::In;
  using Out = typename Problem::Out;
  static constexpr int kColumns = kN, kStages = kRing, kCluster = kBlocks;
  static constexpr int kDepth = hopper::kRowBytes / sizeof(In);  ///< of a step along k: one swizzled row
  static constexpr int kSums = kN / 2;                           ///< of a thread
  static constexpr unsigned kABytes = kTileRows * hopper::kRowBytes, kBBytes = kN * hopper::kRowBytes;
  static constexpr unsigned kStepBytes = kABytes + kBBytes;
};

template <class Tiles>
struct alignas(hopper::kTileAlignment) Stages {
  std::byte a[Tiles::kStages][Tiles::kABytes];
  std::byte b[Tiles::kStages][Tiles::kBBytes];
};

/// One step along k by a warpgroup: its 64 rows of A by all columns. Queued; the caller waits.
template <class Tiles>
__device__ __forceinline__ void multiply_step(const Stages<Tiles>& stages, int stage, int group, bool add,
                                              float (&sums)[Tiles::kSums]) {
  const std::uint64_t a = hopper::tile_descriptor(hopper::shared_address(stages.a[stage]) +
                                                  group * kGroupRows * hopper::kRowBytes);
  const std::uint64_t b = hopper::tile_descriptor(hopper::shared_address(stages.b[stage]));
  hopper::begin_products();
#pragma unroll
  for (int slice = 0; slice < 4; ++slice)  // of 32 bytes
    hopper::multiply<Tiles::kColumns, typename Tiles::In>(sums, a + slice * hopper::kSliceStep,
                                                          b + slice * hopper::kSliceStep, add || slice > 0);
  hopper::end_products();
}

__device__ __forceinline__ void store_pair(Bf16* to, float first, float second) {
  *reinterpret_cast<std::uint32_t*>(to) = hopper::rounded_pair(first, second);
}
__device__ __forceinline__ void store_pair(float* to, float first, float second) {
  *reinterpret_cast<float2*>(to) = {first, second};
}

/// A thread has pairs of neighbours: 4 bytes of bf16 an access, four threads to a sector half used. `row` and
/// `column` are of the warpgroup's first element.
template <class Problem, int kSums>
__device__ __forceinline__ void store_sums(const Problem& p, int row, int column, float (&sums)[kSums]) {
  const hopper::Place first = hopper::sum_place(static_cast<int>(threadIdx.x) % hopper::kGroupThreads, 0);
  row += first.row;
  column += first.column;
  typename Problem::Out* to = p.d + std::int64_t{row} * p.n + column;
  typename Problem::Out* below = to + std::int64_t{8} * p.n;
  apply(sums_factor(p.scales), sums);
#pragma unroll
  for (int i = 0; i < kSums; i += 4) {
    if (column + i * 2 >= p.n) continue;
    if (row < p.m) store_pair(to + i * 2, sums[i], sums[i + 1]);
    if (row + 8 < p.m) store_pair(below + i * 2, sums[i + 2], sums[i + 3]);
  }
}

}  // namespace aisp::hopper_matmul
