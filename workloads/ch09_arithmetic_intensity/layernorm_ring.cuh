// SPDX-License-Identifier: Apache-2.0
/// \file
/// LayerNorm of rows that no block can hold, by clusters that stay (workloads/cuda_row_ring.cuh), for
/// layernorm.cu. A block has the same columns of every row, so their gain and bias stay in its shared memory:
/// from the L2 cache they would be as many bytes as two more rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "workloads/cuda_piece.cuh"
#include "workloads/cuda_row_rings.cuh"

namespace aisp::layernorm {

constexpr double kEpsilon = 1e-5;

__device__ inline float inverse_root(float squares, std::int64_t cols) {
  return rsqrtf(squares / static_cast<float>(cols) + static_cast<float>(kEpsilon));
}

/// Of a warp's part of a row: its mean, and the squares of the deviations from that.
struct Part {
  float mean, squares;
};

/// Gain and bias of a block's columns: from shared memory, as many of the two as stay there, else from the L2
/// cache, a few pieces ahead, since that answers late while memory is busy. To be made before meet().
template <class Ring, class T>
class Beside {
 public:
  __device__ Beside(const Ring& ring, const float4* gain, const float4* bias)
      : ring_(ring), gain_(gain), bias_(bias) {
#pragma unroll
    for (int p = 0; p < kAhead; ++p) {
      if constexpr (T::kBeside < 1) next_gain_[p] = ring.inside(p) ? gain[ring.place(p)] : float4{};
      if constexpr (T::kBeside < 2) next_bias_[p] = ring.inside(p) ? bias[ring.place(p)] : float4{};
    }
  }
  __device__ float4 gain(int p) { return T::kBeside > 0 ? kept(0, p) : ahead(next_gain_, gain_, p); }
  __device__ float4 bias(int p) { return T::kBeside > 1 ? kept(1, p) : ahead(next_bias_, bias_, p); }

 private:
  static constexpr int kAhead = T::kBeside == 0 && T::kPieces > 8 ? 2 : std::min(T::kPieces, 4);
  __device__ float4 kept(int i, int p) const { return ring_.template beside<float4>(i, p); }
  __device__ float4 ahead(float4 (&next)[kAhead], const float4* from, int p) {
    const float4 result = next[p % kAhead];
    if (p + kAhead < T::kPieces && ring_.inside(p + kAhead))
      next[p % kAhead] = __ldg(from + ring_.place(p + kAhead));
    return result;
  }

  const Ring& ring_;
  const float4 *gain_, *bias_;
  float4 next_gain_[kAhead], next_bias_[kAhead];
};

/// Rows of `count` times four values.
template <class T>
__global__ void __launch_bounds__(T::kBlock, 1)
    without_pause(const float4* x, const float4* gain, const float4* bias, float4* y, std::int64_t rows,
                  int count) {
  if constexpr (gpu::kHasClusters) {
    using Ring = gpu::Ring<T, Part>;
    __shared__ gpu::RingShared<T, Part> shared;
    Ring ring(shared, x, rows, count);
    const float cols = 4 * static_cast<float>(count);
    if constexpr (T::kBeside == 0) ring.begin();
    if constexpr (T::kBeside == 1) ring.begin(gain);
    if constexpr (T::kBeside == 2) ring.begin(gain, bias);
    const auto values_of = [&](int warp) { return 4 * static_cast<float>(ring.pieces_of_warp(warp)); };
    for (auto at = ring.first(); at.row < rows; ring.next(at)) {
      float4 held[T::kPieces];
      ring.take(at, held, 0);
      Beside<Ring, T> beside(ring, gain, bias);
      float sum = 0, squares = 0;
#pragma unroll
      for (int p = 0; p < T::kPieces; ++p) sum += gpu::sum_of(held[p]);
      sum = gpu::warp_sum(sum);
      const float near = sum / fmaxf(1, values_of(ring.warp_of_row()));
#pragma unroll
      for (int p = 0; p < T::kPieces; ++p)
        if (ring.inside(p))
          squares += gpu::sum_over(held[p], [&](float value) { return (value - near) * (value - near); });

      const Part* of_warp = ring.meet(at, Part{near, gpu::warp_sum(squares)});
      sum = squares = 0;
      for (int w = gpu::lane_index(); w < T::kAllWarps; w += gpu::kLanes)
        sum += values_of(w) * of_warp[w].mean;
      const float mean = gpu::warp_sum(sum) / cols;
      for (int w = gpu::lane_index(); w < T::kAllWarps; w += gpu::kLanes) {
        const float off = of_warp[w].mean - mean;
        squares += of_warp[w].squares + values_of(w) * off * off;
      }
      const float inverse = inverse_root(gpu::warp_sum(squares), std::int64_t{4} * count);
      if constexpr (T::kBeside > 0) {
        if (at.turn == 0) ring.wait_for_beside();
      }
      ring.put(at, y, [&](int p) {
        const float4 scaled = gpu::each_of(held[p], [&](float value) { return (value - mean) * inverse; });
        const float4 factor = beside.gain(p), term = beside.bias(p);
        return gpu::product_and(scaled, factor, term);
      });
    }
    ring.end();
  }
}

using gpu::RingTeam;
using LongRows = gpu::Rings<RingTeam<32, 8, 2, 256, 16, 9, 2>, RingTeam<32, 16, 2, 256, 16, 9, 2>,
                            RingTeam<64, 16, 1, 512, 8, 11, 2>, RingTeam<128, 16, 1, 512, 8, 11, 1>>;
/// More values than this: for fewer, gain and bias from the L2 cache cost little.
constexpr std::int64_t kLong = 32768;

/// False, and nothing is launched, where rows are shorter, too long, or no multiple of 16 bytes.
inline bool launch_long(std::int64_t rows, std::int64_t cols, cudaStream_t stream, const float* x,
                        const float* gain, const float* bias, float* y) {
  const auto pieces = [](const float* from) { return reinterpret_cast<const float4*>(from); };
  return cols > kLong && LongRows::launch(cols * 4, [&]<class T>(T) {
           gpu::launch_ring<T, without_pause<T>>(rows, stream, pieces(x), pieces(gain), pieces(bias),
                                                 reinterpret_cast<float4*>(y), rows,
                                                 static_cast<int>(cols / 4));
         });
}

}  // namespace aisp::layernorm
