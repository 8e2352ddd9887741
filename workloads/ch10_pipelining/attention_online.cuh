// SPDX-License-Identifier: Apache-2.0
/// \file
/// The online softmax on sums of wgmma. A thread has two rows, eight apart, and shares them with the three
/// other threads of its quad: of every eight columns each has two.
#pragma once

#include <cstdint>

#include "workloads/hopper/fragment.cuh"

namespace aisp::attention {

__device__ __forceinline__ float power_of_two(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}
__device__ __forceinline__ float quad_max(float x) {
  x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, 1));
  return fmaxf(x, __shfl_xor_sync(0xffffffff, x, 2));
}
__device__ __forceinline__ float quad_sum(float x) {
  x += __shfl_xor_sync(0xffffffff, x, 1);
  return x + __shfl_xor_sync(0xffffffff, x, 2);
}

/// What a thread knows of its two rows. The maximum begins finite: a row that has seen nothing yet keeps
/// weights of zero instead of the difference of two infinities.
struct RowState {
  float max[2] = {-1e30f, -1e30f};
  float sum[2] = {0, 0};  ///< of this thread's columns alone
};

/// Scores become weights 2^((score - max) scale). `keep` is what older sums are to be multiplied by.
template <int kSums>
__device__ __forceinline__ void soften(float (&scores)[kSums], RowState& state, float (&keep)[2],
                                       float scale) {
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    float most = state.max[r];
#pragma unroll
    for (int i = 0; i < kSums; i += 4) most = fmaxf(most, fmaxf(scores[i + 2 * r], scores[i + 2 * r + 1]));
    most = quad_max(most);
    keep[r] = power_of_two((state.max[r] - most) * scale);
    state.max[r] = most;
  }
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    const float offset = state.max[r] * scale;
    float sum = 0;
#pragma unroll
    for (int i = 0; i < kSums; i += 4) {
      scores[i + 2 * r] = power_of_two(fmaf(scores[i + 2 * r], scale, -offset));
      scores[i + 2 * r + 1] = power_of_two(fmaf(scores[i + 2 * r + 1], scale, -offset));
      sum += scores[i + 2 * r] + scores[i + 2 * r + 1];
    }
    state.sum[r] = state.sum[r] * keep[r] + sum;
  }
}

/// Keys from `visible` of the thread's first row on are not seen; `more` of them are by its second row.
template <int kSums>
__device__ __forceinline__ void hide(float (&scores)[kSums], int visible, int more) {
  const int column = static_cast<int>(threadIdx.x) % 4 * 2;
#pragma unroll
  for (int i = 0; i < kSums; ++i) {
    const int at = i / 4 * 8 + column + i % 2;
    if (at >= (i / 2 % 2 == 0 ? visible : visible + more)) scores[i] = -INFINITY;
  }
}

template <int kSums>
__device__ __forceinline__ void scale_rows(float (&sums)[kSums], const float (&factor)[2]) {
#pragma unroll
  for (int i = 0; i < kSums; ++i) sums[i] *= factor[i / 2 % 2];
}

/// Weights as the first input of the next product.
template <int kSums>
__device__ __forceinline__ void round_weights(const float (&weights)[kSums],
                                              std::uint32_t (&pairs)[kSums / 2]) {
#pragma unroll
  for (int i = 0; i < kSums / 2; ++i) pairs[i] = hopper::rounded_pair(weights[2 * i], weights[2 * i + 1]);
}

}  // namespace aisp::attention
