// SPDX-License-Identifier: Apache-2.0
/// \file
/// A content hash whose words can be taken in any order, and so by any number of threads: each word is mixed
/// with its position and all are added. One changed word always changes it; unrelated contents agree with
/// chance 2^-64. Not cryptographic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "aisp/core/rng.h"

namespace aisp::device {

/// What the i-th 8-byte word adds. A shorter last word is filled up with zeros.
constexpr std::uint64_t content_term(std::uint64_t word, std::uint64_t i) { return random_word(word, i); }

inline std::uint64_t content_sum(const std::byte* begin, std::size_t bytes) {
  std::uint64_t sum = bytes;
  for (std::size_t at = 0; at < bytes; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, begin + at, bytes - at < 8 ? bytes - at : 8);
    sum += content_term(word, at / 8);
  }
  return sum;
}

}  // namespace aisp::device
