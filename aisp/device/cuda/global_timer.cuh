// SPDX-License-Identifier: Apache-2.0
/// \file
/// The device's own clock, in nanoseconds since some moment; all multiprocessors read the same one. It moves
/// in steps: 32 ns on Hopper.
#pragma once

#include <cstdint>

namespace aisp::cuda {

__device__ inline std::uint64_t global_timer() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

}  // namespace aisp::cuda
