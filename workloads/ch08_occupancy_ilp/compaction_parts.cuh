// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rows in parts, a block a part: which values it has, where they go, and how ballots put the wanted ones
/// side by side. For ch08/compaction on a GPU.
#pragma once

#include <cstdint>

#include "workloads/ch08_occupancy_ilp/compaction.h"
#include "workloads/cuda_reduce.cuh"

namespace aisp::compaction {

constexpr int kEach = 16;  ///< values of a thread

/// Values of a block.
template <int kThreads>
constexpr int kPart = kThreads * kEach;

struct Part {
  std::int64_t row;    ///< where its row begins
  std::int64_t first;  ///< of the row's values
  int size;
};
template <int kThreads>
__device__ Part part_of(std::int64_t cols, unsigned parts) {
  constexpr std::int64_t kSize = kPart<kThreads>;
  const std::int64_t first = blockIdx.x % parts * kSize;
  return {blockIdx.x / parts * cols, first, static_cast<int>(min(kSize, cols - first))};
}

/// Where a part's values go: `kept` of them after those that were kept before, and as many fillers as it
/// dropped, counted from the end of the row. So every part writes as much as it read.
struct Target {
  std::int64_t kept, filler;
};
__device__ inline Target target_of(const Part& part, std::int64_t cols, int kept, int before) {
  const std::int64_t dropped_before = part.first - before;
  return {part.row + before, part.row + cols - dropped_before - (part.size - kept)};
}

/// The values of this thread, and where the wanted ones go within the part. A warp has 512 neighbours.
template <int kThreads>
struct Sorted {
  static constexpr int kWarps = kThreads / gpu::kLanes;
  float values[kEach];
  unsigned wanted[kEach];  ///< by all lanes of the warp
  int before;              ///< wanted values of the warps before
  int total;               ///< of the part

  __device__ void load(const float* in, int size) {
    const int first = gpu::warp_index() * kEach * gpu::kLanes + gpu::lane_index();
    if (size == kPart<kThreads>) {  // nothing to check, so the loads leave one after the other
#pragma unroll
      for (int e = 0; e < kEach; ++e) values[e] = __ldcs(in + first + e * gpu::kLanes);
    } else {
#pragma unroll
      for (int e = 0; e < kEach; ++e)
        values[e] = first + e * gpu::kLanes < size ? __ldcs(in + first + e * gpu::kLanes) : kFiller;
    }
    int mine = 0;
#pragma unroll
    for (int e = 0; e < kEach; ++e) {
      wanted[e] = __ballot_sync(gpu::kAllLanes, values[e] > 0);
      mine += __popc(wanted[e]);
    }
    __shared__ int of_warp[kWarps];
    if (gpu::lane_index() == 0) of_warp[gpu::warp_index()] = mine;
    __syncthreads();
    before = total = 0;
#pragma unroll
    for (int w = 0; w < kWarps; ++w) {
      before += w < gpu::warp_index() ? of_warp[w] : 0;
      total += of_warp[w];
    }
  }

  /// Side by side, into shared memory.
  __device__ void put(float* side_by_side) const {
    int place = before;
#pragma unroll
    for (int e = 0; e < kEach; ++e) {
      if (values[e] > 0)
        side_by_side[place + __popc(wanted[e] & ((1u << gpu::lane_index()) - 1))] = values[e];
      place += __popc(wanted[e]);
    }
  }
};

template <int kThreads>
__device__ void write_part(const Part& part, std::int64_t cols, const float* side_by_side, int total,
                           int before, float* kept) {
  const Target target = target_of(part, cols, total, before);
  float* fillers = kept + target.filler - total;
  kept += target.kept;
#pragma unroll
  for (int e = 0; e < kEach; ++e) {
    const int i = e * kThreads + static_cast<int>(threadIdx.x);
    if (i < total) {
      __stcs(kept + i, side_by_side[i]);
    } else if (i < part.size) {
      __stcs(fillers + i, kFiller);
    }
  }
}

}  // namespace aisp::compaction
