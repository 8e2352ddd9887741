// SPDX-License-Identifier: Apache-2.0
/// \file
/// How a part of a row learns what the parts before it have kept, without a launch in between. For
/// ch08/compaction on a GPU.
#pragma once

#include <cstdint>

#include "workloads/cuda_reduce.cuh"

namespace aisp::compaction {

/// What a part has left for the others: nothing yet, its own count, or the count of all up to it. In one
/// word, so that nobody sees half of it.
enum State : std::uint32_t { kNothing = 0, kOwn = 1u << 30, kAll = 2u << 30, kStateBits = 3u << 30 };

constexpr int kLook = 8;  ///< states that a lane reads at once: what is known moves on by 256 parts at a time

/// By one warp: leaves what this part has kept. `states` are those of its row.
__device__ inline void say_own(volatile std::uint32_t* states, int part, int own) {
  if (gpu::lane_index() == 0) states[part] = (part == 0 ? kAll : kOwn) | static_cast<std::uint32_t>(own);
}

/// By the same warp: how many values the parts of this row before this one have kept.
__device__ inline int look_back(volatile std::uint32_t* states, int part, int own) {
  const int lane = gpu::lane_index();
  int before = 0;
  for (int last = part - 1; last >= 0; last -= kLook * gpu::kLanes) {
    std::uint32_t seen[kLook];
    bool missing = true;
    while (missing) {
      missing = false;
#pragma unroll
      for (int k = 0; k < kLook; ++k) {
        const int at = last - k * gpu::kLanes - lane;
        seen[k] = at >= 0 ? states[at] : kAll;  // before the first part nothing was kept
        missing |= (seen[k] & kStateBits) == kNothing;
      }
      missing = __any_sync(gpu::kAllLanes, missing);
      if (missing) __nanosleep(100);  // whoever asks without a pause is in the way of those who answer
    }
    bool found = false;
#pragma unroll
    for (int k = 0; k < kLook; ++k) {  // the nearest first, up to one that knows of all before it
      const unsigned complete = __ballot_sync(gpu::kAllLanes, (seen[k] & kStateBits) == kAll);
      const int nearest = complete != 0 ? __ffs(static_cast<int>(complete)) - 1 : gpu::kLanes;
      if (!found && lane <= nearest) before += static_cast<int>(seen[k] & ~kStateBits);
      found |= complete != 0;
    }
    if (found) break;
  }
  before = gpu::warp_sum(before);
  if (lane == 0 && part > 0) states[part] = kAll | static_cast<std::uint32_t>(before + own);
  return before;
}

/// By the same warp, in the end: the last block of all clears the states for the next call. Nobody looks at
/// them any more, since each block counts itself off after it has looked.
__device__ inline void forget_when_last(std::uint32_t* states, unsigned* finished) {
  bool last = false;
  if (gpu::lane_index() == 0) {
    __threadfence();
    last = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1;  // and begins at 0 again
  }
  if (!__shfl_sync(gpu::kAllLanes, static_cast<int>(last), 0)) return;
  for (unsigned p = threadIdx.x; p < gridDim.x; p += gpu::kLanes) states[p] = kNothing;
}

}  // namespace aisp::compaction
