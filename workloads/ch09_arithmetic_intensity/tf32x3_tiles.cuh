// SPDX-License-Identifier: Apache-2.0
/// \file
/// The kernel of ch09/tf32x3: products of floats on the tensor cores, each as three products of tf32.
///
/// One block a tile of 128 x 128. Of its three warpgroups the first brings and splits: one thread asks the
/// copy engine for 32 values of k of A and B, three warps round B to tf32 in place and write what rounding
/// left beside it. The other two have 64 rows of C each: they take A into registers, where splitting costs
/// nothing more, and multiply. While one of them splits and adds up, the other keeps the tensor cores busy.
#pragma once

#include <cstdint>

#include "workloads/hopper/cluster.cuh"
#include "workloads/hopper/layout.h"
#include "workloads/hopper/mbarrier.cuh"
#include "workloads/hopper/tensor_map.cuh"
#include "workloads/hopper/tile_copy.cuh"
#include "workloads/hopper/tile_order.h"
#include "workloads/hopper/wgmma_tf32.cuh"

namespace aisp::tf32x3 {

/// Stages whose products the tensor cores sum by themselves: 128 values of k. Then the sums are added up
/// outside.
constexpr int kRun = 4;
constexpr int kTile = 128, kGroupRows = 64, kStages = 4, kBand = 8;
constexpr int kThreads = 3 * hopper::kGroupThreads;
constexpr int kDepth = 32;  ///< of a stage along k: a row of 128 bytes
constexpr int kSlices = kDepth / hopper::kTf32Slice;
constexpr int kSplitWarps = 3, kMultiplyWarps = 8;
constexpr unsigned kTileBytes = kTile * hopper::kRowBytes;
constexpr int kFetchRegisters = 56, kMultiplyRegisters = 224;

struct alignas(hopper::kTileAlignment) Memory {
  std::byte a[kStages][kTileBytes], b[kStages][kTileBytes], b_rest[kStages][kTileBytes];
  hopper::Barrier landed[kStages], split[kStages], empty[kStages];
};

/// By the warps that split: B becomes its rounded half, b_rest what is left. Element by element, so it does
/// not matter how the copy engine swizzled them. Several loads are on their way at once: one after the other
/// the three warps would be slower than the tensor cores.
__device__ __forceinline__ void split_tile(std::byte* b, std::byte* b_rest) {
  constexpr int kQuads = kTileBytes / sizeof(uint4), kThreads = kSplitWarps * 32, kAtOnce = 4;
  auto* rounded = reinterpret_cast<uint4*>(b);
  auto* rests = reinterpret_cast<uint4*>(b_rest);
#pragma unroll
  for (int first = 0; first < kQuads; first += kThreads * kAtOnce) {
    float4 values[kAtOnce];
    const auto place = [&](int i) { return first + i * kThreads + static_cast<int>(threadIdx.x) - 32; };
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i)
      if (place(i) < kQuads) values[i] = *reinterpret_cast<const float4*>(rounded + place(i));
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      if (place(i) >= kQuads) continue;
      const auto x = hopper::split_tf32(values[i].x), y = hopper::split_tf32(values[i].y),
                 z = hopper::split_tf32(values[i].z), w = hopper::split_tf32(values[i].w);
      rounded[place(i)] = {x.upper, y.upper, z.upper, w.upper};
      rests[place(i)] = {x.rest, y.rest, z.rest, w.rest};
    }
  }
}

/// A thread's values of a stage of A, split: rounded to tf32, and what that left.
struct Split {
  std::uint32_t upper[kSlices][4], rest[kSlices][4];

  __device__ __forceinline__ void take(const std::byte* a, int group) {
    const int thread = static_cast<int>(threadIdx.x) % hopper::kGroupThreads;
#pragma unroll
    for (int s = 0; s < kSlices; ++s) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const hopper::Place place = hopper::tf32_place(thread, i);
        const auto row = static_cast<std::uint32_t>(group * kGroupRows + place.row);
        const auto byte = static_cast<std::uint32_t>((s * hopper::kTf32Slice + place.column) * 4);
        const float value = *reinterpret_cast<const float*>(a + hopper::swizzled(row, byte));
        const hopper::Tf32Parts parts = hopper::split_tf32(value);
        upper[s][i] = parts.upper, rest[s][i] = parts.rest;
        asm volatile("" : "+r"(upper[s][i]), "+r"(rest[s][i]) : : "memory");
      }
    }
  }
};

/// Queues the three products of a stage, the small ones first.
__device__ __forceinline__ void multiply_stage(Memory& memory, int stage, const Split& a, bool add,
                                               float (&part)[64]) {
  const std::uint64_t b = hopper::tile_descriptor(hopper::shared_address(memory.b[stage]));
  const std::uint64_t b_rest = hopper::tile_descriptor(hopper::shared_address(memory.b_rest[stage]));
  hopper::begin_products();
#pragma unroll
  for (int s = 0; s < kSlices; ++s) {
    hopper::multiply_tf32(part, a.rest[s], b + s * hopper::kSliceStep, add || s > 0);
    hopper::multiply_tf32(part, a.upper[s], b_rest + s * hopper::kSliceStep, true);
    hopper::multiply_tf32(part, a.upper[s], b + s * hopper::kSliceStep, true);
  }
  hopper::end_products();
}

__global__ void __launch_bounds__(kThreads, 1)
    multiply_split(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float* c,
                   int n) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) std::byte shared_bytes[];
  auto& memory = *reinterpret_cast<Memory*>(shared_bytes);
  const int tiles = hopper::tiles_for(n, kTile);
  const int steps = hopper::tiles_for(n, kRun * kDepth) * kRun;  // beyond n the copy engine brings zeros
  const hopper::Tile tile = hopper::banded_tile({tiles, tiles}, kBand, static_cast<int>(blockIdx.x));
  const int row = tile.row * kTile, column = tile.column * kTile;
  if (threadIdx.x == 0) {
    hopper::prefetch_map(a);
    hopper::prefetch_map(b);
    for (int s = 0; s < kStages; ++s) {
      memory.landed[s].init(1);
      memory.split[s].init(kSplitWarps);
      memory.empty[s].init(kMultiplyWarps);
    }
    hopper::fence_barriers();
  }
  __syncthreads();

  const int group = hopper::group_index() - 1;
  if (group < 0) {
    hopper::keep_registers<kFetchRegisters>();
    const int warp = static_cast<int>(threadIdx.x) / 32;
    for (int step = 0; step < steps; ++step) {
      const int stage = step % kStages;
      const unsigned phase = step / kStages & 1;
      if (threadIdx.x == 0) {
        memory.empty[stage].wait(phase ^ 1);
        memory.landed[stage].arrive_expecting(2 * kTileBytes);
        // The map counts in halves of a float (tensor_map.cuh).
        hopper::load_tile(memory.a[stage], a, row, step * kDepth, memory.landed[stage]);
        hopper::load_tile(memory.b[stage], b, column, step * kDepth, memory.landed[stage]);
      } else if (warp > 0) {
        memory.landed[stage].wait(phase);
        split_tile(memory.b[stage], memory.b_rest[stage]);
        hopper::fence_writes_for_engines();
        __syncwarp();
        if (threadIdx.x % 32 == 0) memory.split[stage].arrive();
      }
    }
  } else {
    hopper::take_registers<kMultiplyRegisters>();
    float sums[64] = {}, part[64] = {};
    Split split[2];  // one is being multiplied while the next one is made
    memory.landed[0].wait(0);
    split[0].take(memory.a[0], group);
    hopper::settle(part);
    const auto leave = [&](int step) {
      if (threadIdx.x % 32 == 0) memory.empty[step % kStages].arrive();
    };
    for (int first = 0; first < steps; first += kRun) {
#pragma unroll
      for (int s = 0; s < kRun; ++s) {
        const int step = first + s;
        memory.split[step % kStages].wait(step / kStages & 1);
        multiply_stage(memory, step % kStages, split[s % 2], s > 0, part);
        if (s > 0) {
          hopper::wait_for_products<1>(part);  // those of the step before
          leave(step - 1);
        }
        if (step + 1 < steps) {
          memory.landed[(step + 1) % kStages].wait((step + 1) / kStages & 1);
          split[(s + 1) % 2].take(memory.a[(step + 1) % kStages], group);
        }
      }
      hopper::wait_for_products<0>(part);
      leave(first + kRun - 1);
#pragma unroll
      for (int i = 0; i < 64; ++i) sums[i] += part[i];
    }

    const hopper::Place first = hopper::sum_place(static_cast<int>(threadIdx.x) % hopper::kGroupThreads, 0);
    const int at_row = row + group * kGroupRows + first.row, at_column = column + first.column;
#pragma unroll
    for (int i = 0; i < 64; i += 2) {
      const int r = at_row + i / 2 % 2 * 8, col = at_column + i / 4 * 8;
      if (r < n && col < n)
        *reinterpret_cast<float2*>(c + std::int64_t{r} * n + col) = {sums[i], sums[i + 1]};
    }
  }
#endif
}

}  // namespace aisp::tf32x3
