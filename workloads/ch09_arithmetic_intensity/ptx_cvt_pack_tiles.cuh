// SPDX-License-Identifier: Apache-2.0
/// \file
/// The kernel of ch09/ptx_cvt_pack, which all its rungs share: what differs is how a word becomes eight
/// halves.
///
/// A block of threads for each multiprocessor takes two tiles of rows at a time, so that each value of x that
/// was read serves two products, and a warp takes every 16th block of columns: any number of rows keeps all
/// multiprocessors busy that have a pair. Weights come straight into registers, four steps ahead and across
/// pairs, so that they keep coming while the warps' sums are added up. x is in shared memory, for good where
/// all of it fits.
#pragma once

#include <cuda_fp16.h>

#include <cstddef>
#include <cstdint>

#include "workloads/ch09_arithmetic_intensity/ptx_cvt_pack.h"
#include "workloads/cuda_reduce.cuh"

namespace aisp::ptx_cvt_pack {

constexpr int kTokens = 8;
constexpr int kThreads = 512, kWarps = kThreads / gpu::kLanes;
constexpr int kTiles = 2;  ///< of rows, for the same values of x
constexpr int kSums = kTiles * kTileRows * kTokens;
constexpr int kAhead = 4;      ///< steps whose weights are on their way: 64 KB a multiprocessor
constexpr int kStepsHeld = 8;  ///< steps for which x is in shared memory
constexpr int kColumnsHeld = kStepsHeld * kWarps * kBlockColumns;

struct Layer {
  const uint4* weights;
  const float* scales;
  const __half* x;
  float* y;
  int row_tiles, k_blocks;
};

struct Memory {
  /// Half a line more in each row: eight lanes ask for 64 bytes of two rows at a time, in 32 banks.
  alignas(16) __half x[kTokens][kColumnsHeld + 32];
  /// By turns: one is added up while the other is filled.
  float sums[2][kWarps][kSums];
};

/// The pair of tiles and the step a block is at; a step is a block of columns for each warp.
struct Cursor {
  int pair, step;
  __device__ void advance(int steps) {
    if (++step < steps) return;
    step = 0;
    pair += static_cast<int>(gridDim.x);
  }
};

/// Behind the last tile or block the last one again: nobody looks at sums of such tiles, and x is zero there.
__device__ __forceinline__ void fetch(const Layer& layer, const Cursor& at, uint4 (&words)[kTiles]) {
  const int k_block = min(at.step * kWarps + gpu::warp_index(), layer.k_blocks - 1);
#pragma unroll
  for (int t = 0; t < kTiles; ++t) {
    const int tile = min(at.pair * kTiles + t, layer.row_tiles - 1);
    const std::int64_t block = std::int64_t{tile} * layer.k_blocks + k_block;
    words[t] = __ldcs(layer.weights + block * gpu::kLanes + gpu::lane_index());
  }
}

/// The columns from block `first` on; zeros behind the last.
__device__ __forceinline__ void hold_x(const Layer& layer, int first, Memory& memory) {
  constexpr int kBlockPieces = 8;  // of 16 bytes
  constexpr int kPieces = kColumnsHeld / kBlockColumns * kBlockPieces;
  const auto* x = reinterpret_cast<const uint4*>(layer.x);
  __syncthreads();  // all have done with what was held
#pragma unroll 4
  for (int i = static_cast<int>(threadIdx.x); i < kTokens * kPieces; i += kThreads) {
    const int token = i / kPieces, piece = i % kPieces;
    const std::int64_t row = std::int64_t{token} * layer.k_blocks + first;
    const bool inside = first + piece / kBlockPieces < layer.k_blocks;
    *reinterpret_cast<uint4*>(&memory.x[token][piece * 8]) =
        inside ? __ldg(x + row * kBlockPieces + piece) : uint4{};
  }
  __syncthreads();
}

__device__ __forceinline__ void multiply_16x8(float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                                              std::uint32_t b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/// What the warps have of a pair's sums, added up and scaled.
__device__ __forceinline__ void finish(const Layer& layer, int pair, const float (&sums)[kTiles][4],
                                       float (&of_warps)[kWarps][kSums]) {
  const int lane = gpu::lane_index();
#pragma unroll
  for (int i = 0; i < kTiles * 2; ++i) {
    const int at = i * kSums / (kTiles * 2) + lane / 4 * kTokens + lane % 4 * 2;
    const float* two = &sums[i / 2][i % 2 * 2];
    *reinterpret_cast<float2*>(&of_warps[gpu::warp_index()][at]) = {two[0], two[1]};
  }
  __syncthreads();
  const int i = static_cast<int>(threadIdx.x);
  if (i >= kSums || pair * kTiles + i / (kTileRows * kTokens) >= layer.row_tiles) return;
  float sum = 0;
#pragma unroll
  for (int w = 0; w < kWarps; ++w) sum += of_warps[w][i];
  const std::int64_t at = std::int64_t{pair} * kSums + i;
  layer.y[at] = sum * layer.scales[at / kTokens];
}

/// Unpack::halves makes the four registers of the left side, eight halves, of a word. kWhole: shared memory
/// holds all of x.
template <class Unpack, bool kWhole>
__global__ void __launch_bounds__(kThreads, 1) multiply(Layer layer) {
  extern __shared__ __align__(16) std::byte shared_bytes[];
  Memory& memory = *reinterpret_cast<Memory*>(shared_bytes);
  const int pairs = (layer.row_tiles + kTiles - 1) / kTiles;
  const int steps = (layer.k_blocks + kWarps - 1) / kWarps;
  Cursor now{static_cast<int>(blockIdx.x), 0}, ahead = now;
  uint4 ring[kAhead][kTiles];
#pragma unroll
  for (int a = 0; a < kAhead; ++a, ahead.advance(steps)) fetch(layer, ahead, ring[a]);
  if (kWhole) hold_x(layer, 0, memory);
  const __half* my_x = &memory.x[gpu::lane_index() / 4][gpu::warp_index() * kBlockColumns];
  float sums[kTiles][4] = {};
  int turn = 0;
  while (now.pair < pairs) {
#pragma unroll
    for (int a = 0; a < kAhead; ++a) {
      if (now.pair >= pairs) break;
      if (!kWhole && now.step % kStepsHeld == 0) hold_x(layer, now.step * kWarps, memory);
      uint4 words[kTiles];
#pragma unroll
      for (int t = 0; t < kTiles; ++t) words[t] = ring[a][t];
      fetch(layer, ahead, ring[a]);
      ahead.advance(steps);
      const auto* b = reinterpret_cast<const uint4*>(
          my_x + (kWhole ? now.step : now.step % kStepsHeld) * (kWarps * kBlockColumns) +
          gpu::lane_index() % 4 * 8);
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const uint4 x = b[half * 4];  // 32 columns further
#pragma unroll
        for (int t = 0; t < kTiles; ++t) {
          std::uint32_t first[4], second[4];
          Unpack::halves(half == 0 ? words[t].x : words[t].z, first);
          Unpack::halves(half == 0 ? words[t].y : words[t].w, second);
          multiply_16x8(sums[t], first, x.x, x.y);
          multiply_16x8(sums[t], second, x.z, x.w);
        }
      }
      if (now.step == steps - 1) {
        finish(layer, now.pair, sums, memory.sums[turn]);
        turn ^= 1;
#pragma unroll
        for (int i = 0; i < kTiles * 4; ++i) sums[i / 4][i % 4] = 0;
      }
      now.advance(steps);
    }
  }
}

}  // namespace aisp::ptx_cvt_pack
