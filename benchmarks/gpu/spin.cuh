// SPDX-License-Identifier: Apache-2.0
/// \file
/// A kernel of known duration that times itself: from the start of its first block to the end of its last.
#pragma once

#include <cstdint>

#include "aisp/device/cuda/global_timer.cuh"

namespace aisp::benchmarks {

/// What a launch says about itself, on the device's clock.
struct Truth {
  unsigned long long first = ~0ull;
  unsigned long long last = 0;
};

static __global__ void spin(std::uint64_t ns, Truth* truth) {
  const std::uint64_t start = cuda::global_timer();
  if (threadIdx.x == 0) atomicMin(&truth->first, start);
  std::uint64_t now = start;
  while (now - start < ns) now = cuda::global_timer();
  if (threadIdx.x == 0) atomicMax(&truth->last, now);
}

}  // namespace aisp::benchmarks
