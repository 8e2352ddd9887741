// SPDX-License-Identifier: Apache-2.0
/// \file
/// Division by a number that is known before: a multiplication and a shift. For device code, which has no
/// instruction that divides; tested without a GPU.
///
///   const FastDivision by(48);      // on the host
///   by.quotient(i), by.remainder(i) // anywhere, for i below 2^31
///
/// The quotient of i is the upper half of i m, shifted by s, with m = ceil(2^(32 + s) / d) and s such that
/// 2^s < d <= 2^(s + 1). m d is too large by less than d <= 2^(s + 1), so i m / 2^(32 + s) is too large by
/// less than i / (2^31 d) < 1 / d, and the fraction of i / d is at most 1 - 1 / d: the whole part is right.
#pragma once

#include <bit>
#include <cstdint>

namespace aisp {

class FastDivision {
 public:
  constexpr explicit FastDivision(std::uint32_t divisor)
      : divisor_(divisor),
        shift_(divisor > 1 ? std::bit_width(divisor - 1) - 1 : 0),
        multiplier_(divisor > 1 ? static_cast<std::uint32_t>(
                                      ((std::uint64_t{1} << (32 + shift_)) + divisor - 1) / divisor)
                                : 0) {}

  constexpr std::uint32_t quotient(std::uint32_t i) const {
    if (divisor_ == 1) return i;
    return static_cast<std::uint32_t>(std::uint64_t{i} * multiplier_ >> 32) >> shift_;
  }
  constexpr std::uint32_t remainder(std::uint32_t i) const { return i - quotient(i) * divisor_; }

 private:
  std::uint32_t divisor_;
  int shift_;
  std::uint32_t multiplier_;
};

}  // namespace aisp
