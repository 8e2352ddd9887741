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

#include "aisp/core/rng.h"

namespace aisp::device {

inline constexpr std::size_t kLineBytes = 64;
inline constexpr std::uint64_t kLineWords[8] = {
    0x243f6a8885a308d3ull, 0x13198a2e03707344ull, 0xa4093822299f31d0ull,
    0x082efa98ec4e6c89ull, 0x452821e638d01377ull, 0xbe5466cf34e90c6cull,
    0xc0ac29b7c97c50ddull, 0x3f84d5b5b5470917ull};  // digits of pi

inline std::uint64_t line_word(std::uint64_t seed, std::uint64_t i) {
  return random_word(seed, i / 8) ^ kLineWords[i % 8];
}

/// Writes the words of `seed`, each with the bits of `set` set, over any number of bytes at any alignment.
void fill_lines(std::byte* begin, std::size_t bytes, std::uint64_t seed, std::uint64_t set);

}  // namespace aisp::device
