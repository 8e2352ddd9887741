// SPDX-License-Identifier: Apache-2.0
/// \file
/// The softmax of rows of 16-bit values that no block can hold, by clusters that stay
/// (workloads/cuda_row_ring.cuh), and what it shares with the one in softmax_bf16.cu.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstdint>

#include "workloads/cuda_piece.cuh"
#include "workloads/cuda_row_rings.cuh"

namespace aisp::softmax_bf16 {

constexpr float kLog2E = 1.44269504f;

__device__ inline float power_of_two(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

/// A sum of 2^(x log2 e - max).
struct Sum {
  float max, sum;
};

/// Of the sums that the warps left: its logarithm.
template <int kWarps>
__device__ float log_total(const Sum* of_warp) {
  float max = -FLT_MAX, sum = 0;
  for (int w = gpu::lane_index(); w < kWarps; w += gpu::kLanes) max = fmaxf(max, of_warp[w].max);
  max = gpu::warp_max(max);
  for (int w = gpu::lane_index(); w < kWarps; w += gpu::kLanes)
    sum += of_warp[w].sum * power_of_two(of_warp[w].max - max);
  return max + __log2f(gpu::warp_sum(sum));
}

/// What the compiler made of the pieces so far it shall make again: kept, it takes more registers than there
/// are.
template <int kPieces>
__device__ void forget_what_was_made(gpu::Bf16x8 (&held)[kPieces]) {
#pragma unroll
  for (gpu::Bf16x8& piece : held)
#pragma unroll
    for (__nv_bfloat162& pair : piece.pair) asm volatile("" : "+r"(reinterpret_cast<unsigned&>(pair)));
}

/// Rows of `count` times eight values.
template <class T>
__global__ void __launch_bounds__(T::kBlock, 1)
    without_pause(const gpu::Bf16x8* x, gpu::Bf16x8* y, std::int64_t rows, int count) {
  if constexpr (gpu::kHasClusters) {
    __shared__ gpu::RingShared<T, Sum> shared;
    gpu::Ring<T, Sum> ring(shared, x, rows, count);
    ring.begin();
    for (auto at = ring.first(); at.row < rows; ring.next(at)) {
      gpu::Bf16x8 held[T::kPieces];
      ring.take(at, held, -INFINITY);
      float largest = -FLT_MAX / 2;  // finite: a warp may have nothing
#pragma unroll
      for (int p = 0; p < T::kPieces; ++p) largest = fmaxf(largest, gpu::largest_of(held[p]));
      const float max = gpu::warp_max(largest) * kLog2E;
      forget_what_was_made(held);
      float mine = 0;
#pragma unroll
      for (int p = 0; p < T::kPieces; ++p)
        mine += gpu::sum_over(held[p], [&](float value) { return power_of_two(fmaf(value, kLog2E, -max)); });
      const float whole = log_total<T::kAllWarps>(ring.meet(at, Sum{max, gpu::warp_sum(mine)}));
      forget_what_was_made(held);
      ring.put(at, y, [&](int p) {
        return gpu::each_of(held[p], [&](float value) { return power_of_two(fmaf(value, kLog2E, -whole)); });
      });
    }
    ring.end();
  }
}

using gpu::RingTeam;
using LongRows = gpu::Rings<RingTeam<32, 2, 2, 256, 16, 13>, RingTeam<32, 4, 2, 256, 16, 13>,
                            RingTeam<32, 8, 2, 256, 16, 13>, RingTeam<64, 8, 1, 512, 16, 13>,
                            RingTeam<64, 16, 1, 512, 16, 13>, RingTeam<128, 16, 1, 512, 16, 13>>;
/// More values than this: fewer are held by one block, of which a multiprocessor has several.
constexpr std::int64_t kLong = 16384;

/// False, and nothing is launched, where rows are shorter, too long, or no multiple of 16 bytes.
inline bool launch_long(std::int64_t rows, std::int64_t cols, cudaStream_t stream, const gpu::Bf16* x,
                        gpu::Bf16* y) {
  return cols > kLong && LongRows::launch(cols * 2, [&]<class T>(T) {
           gpu::launch_ring<T, without_pause<T>>(rows, stream, reinterpret_cast<const gpu::Bf16x8*>(x),
                                                 reinterpret_cast<gpu::Bf16x8*>(y), rows,
                                                 static_cast<int>(cols / 8));
         });
}

}  // namespace aisp::softmax_bf16
