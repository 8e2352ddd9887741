// SPDX-License-Identifier: Apache-2.0
/// \file
/// For kernels that draw a workload's own family of inputs: the values that the host's Rng would give, bit by
/// bit.
#pragma once

#include <cstdint>

#include "aisp/core/rng.h"

namespace aisp::gpu {

/// Rng::uniform at the given word of the stream; never fused into one rounding, which the host would not do.
__device__ inline double uniform_at(std::uint64_t seed, std::int64_t word, double low, double high) {
  const double unit =
      static_cast<double>(random_word(seed, static_cast<std::uint64_t>(word)) >> 11) * 0x1p-53;
  return __dadd_rn(low, __dmul_rn(high - low, unit));
}

}  // namespace aisp::gpu
