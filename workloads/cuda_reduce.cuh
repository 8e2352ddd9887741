// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sums and maxima over the lanes of a warp and over the threads of a block. Every thread gets the result.
#pragma once

#include <cuda_runtime.h>

namespace aisp::gpu {

inline constexpr int kLanes = 32;
inline constexpr unsigned kAllLanes = 0xffffffffu;

__device__ inline int lane_index() { return static_cast<int>(threadIdx.x) % kLanes; }
__device__ inline int warp_index() { return static_cast<int>(threadIdx.x) / kLanes; }

/// Each step folds the warp in half; no memory is involved.
template <class T>
__device__ T warp_sum(T value) {
#pragma unroll
  for (int distance = kLanes / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(kAllLanes, value, distance);
  return value;
}

__device__ inline float warp_max(float value) {
#pragma unroll
  for (int distance = kLanes / 2; distance > 0; distance /= 2)
    value = fmaxf(value, __shfl_xor_sync(kAllLanes, value, distance));
  return value;
}

/// One barrier: warps leave their sums in shared memory, and every warp adds all of them. A second call of
/// the same type needs a barrier of its own before it.
template <int kThreads, class T>
__device__ T block_sum(T value) {
  static_assert(kThreads % kLanes == 0 && kThreads / kLanes <= kLanes, "the sums of all warps fit one warp");
  __shared__ T of_warp[kThreads / kLanes];
  value = warp_sum(value);
  if (lane_index() == 0) of_warp[warp_index()] = value;
  __syncthreads();
  return warp_sum(lane_index() < kThreads / kLanes ? of_warp[lane_index()] : T{});
}

template <int kThreads>
__device__ float block_max(float value) {
  static_assert(kThreads % kLanes == 0 && kThreads / kLanes <= kLanes,
                "the maxima of all warps fit one warp");
  __shared__ float of_warp[kThreads / kLanes];
  value = warp_max(value);
  if (lane_index() == 0) of_warp[warp_index()] = value;
  __syncthreads();
  return warp_max(of_warp[lane_index() % (kThreads / kLanes)]);
}

}  // namespace aisp::gpu
