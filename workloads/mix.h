// SPDX-License-Identifier: Apache-2.0
/// \file
/// Work of a known length whose result can be checked exactly: whole numbers, stirred round by round. For
/// workloads whose subject is when and where work is done, not what it is. constexpr, so that kernels may
/// call them.
///
///   mix(value, add, 1000)      // a thousand rounds, each of which needs the one before
///   mixed(value, add, 1000)    // the same in ten steps: what references use
#pragma once

#include <cstdint>

namespace aisp {

inline constexpr std::uint32_t kMixFactor = 1664525u;  ///< odd, so that no information is lost

/// Compilers fold rounds of constants together: where time matters, the number of rounds is an argument.
constexpr std::uint32_t mix(std::uint32_t value, std::uint32_t add, std::uint32_t rounds) {
  for (std::uint32_t r = 0; r < rounds; ++r) value = value * kMixFactor + add;
  return value;
}

/// A round is a linear function modulo 2^32, and so are two of them: the rounds are doubled up.
constexpr std::uint32_t mixed(std::uint32_t value, std::uint32_t add, std::uint32_t rounds) {
  std::uint32_t factor = kMixFactor;
  for (; rounds > 0; rounds /= 2) {
    if (rounds % 2 == 1) value = value * factor + add;
    add += add * factor;
    factor *= factor;
  }
  return value;
}

}  // namespace aisp
