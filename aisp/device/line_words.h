// SPDX-License-Identifier: Apache-2.0
/// \file
/// The words of guards and poison: word i is a pure function of the seed and i, cheap enough to run at the
/// speed of memory. One random word serves a line of eight, each XOR-ed with a constant of its own.
///
///   const std::uint64_t expected = line_word(seed, i);
///   fill_lines(data, bytes, seed, 0);
///
/// Any eight consecutive bytes, however aligned, hold each of 2^64 values with the same chance: they take
/// every byte of the line's random word once. Not for drawing inputs: words of one line are related
/// (aisp/core/rng.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "aisp/core/dtype.h"
#include "aisp/core/rng.h"

namespace aisp::device {

inline constexpr std::size_t kLineBytes = 64;
/// The constants are digits of pi. A function, because device code can call one but not read a host's table.
constexpr std::uint64_t line_constant(std::uint64_t i) {
  const std::uint64_t digits[8] = {0x243f6a8885a308d3ull, 0x13198a2e03707344ull, 0xa4093822299f31d0ull,
                                   0x082efa98ec4e6c89ull, 0x452821e638d01377ull, 0xbe5466cf34e90c6cull,
                                   0xc0ac29b7c97c50ddull, 0x3f84d5b5b5470917ull};
  return digits[i % 8];
}
inline constexpr std::uint64_t kLineWords[8] = {line_constant(0), line_constant(1), line_constant(2),
                                                line_constant(3), line_constant(4), line_constant(5),
                                                line_constant(6), line_constant(7)};

constexpr std::uint64_t line_word(std::uint64_t seed, std::uint64_t i) {
  return random_word(seed, i / 8) ^ line_constant(i);
}

/// OR-ed into every word of poison: exponent all ones and the quiet bit of each element, so that floating
/// types hold NaNs; sign and payload stay random.
constexpr std::uint64_t poison_bits(DType type) {
  switch (type) {
    case DType::f64:
      return 0x7ff8000000000000ull;
    case DType::f32:
      return 0x7fc000007fc00000ull;
    case DType::f16:
      return 0x7e007e007e007e00ull;
    case DType::bf16:
      return 0x7fc07fc07fc07fc0ull;
    default:
      return 0;  // f8e4m3 too: its NaNs have no payload, so that one poison would look like another
  }
}
/// Whether an element that was left alone shows by itself; of the others only several in a row do.
constexpr bool poison_is_nan(DType type) { return poison_bits(type) != 0; }

/// Writes the words of `seed`, each with the bits of `set` set, over any number of bytes at any alignment.
void fill_lines(std::byte* begin, std::size_t bytes, std::uint64_t seed, std::uint64_t set);

}  // namespace aisp::device
