// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rounding to bf16, to nearest and ties to even.
#pragma once

#include <bit>

#include "words.h"

namespace aisp::hopper {

inline std::uint32_t rounded(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}
inline std::uint32_t rounded_pair(float first, float second) {
  return rounded(first) | rounded(second) << 16;
}

}  // namespace aisp::hopper
