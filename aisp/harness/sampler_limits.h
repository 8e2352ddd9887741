// SPDX-License-Identifier: Apache-2.0
/// \file
/// Limits that the samplers of all devices share.
#pragma once

#include <chrono>

namespace aisp::harness {

/// Threads of libraries (BLAS, OpenMP) spin after a call returns; the longest default seen is 2^26 cycles.
inline constexpr std::chrono::milliseconds kQuietLimit{60};
/// Warm-up rounds are numbered far from measured ones, so that their inputs are never seen again.
inline constexpr int kWarmUpRound = 1 << 20;

}  // namespace aisp::harness
