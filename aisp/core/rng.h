// SPDX-License-Identifier: Apache-2.0
/// \file
/// Random words by counter: word i of stream s is a pure function of (s, i), so inputs can be drawn in any
/// order, in parallel, and by a GPU with the same result. Stream seeds come from a secret (harness/seed.h),
/// one per round and tensor; knowing one stream says nothing about the next.
///
///   Rng rng(seed);
///   float x = rng.uniform(-1, 1);
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace aisp {

/// The i-th 64-bit word of the stream (the SplitMix64 finaliser over a Weyl sequence). constexpr, so that
/// device code may call it too.
constexpr std::uint64_t random_word(std::uint64_t stream, std::uint64_t i) {
  std::uint64_t z = stream + (i + 1) * 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

class Rng {
 public:
  explicit Rng(std::uint64_t stream) : stream_(stream) {}

  std::uint64_t word() { return random_word(stream_, counter_++); }
  /// In [0, 1) with 53 random bits.
  double unit() { return static_cast<double>(word() >> 11) * 0x1p-53; }
  double uniform(double low, double high) { return low + (high - low) * unit(); }
  /// In [0, n); the bias of the multiply-shift is below n / 2^64. n must be at least 1.
  std::uint64_t below(std::uint64_t n) {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(word()) * n) >> 64);
  }
  /// Standard normal by Box-Muller, one value a call.
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - unit()));
    return radius * std::cos(2.0 * std::numbers::pi * unit());
  }

 private:
  std::uint64_t stream_;
  std::uint64_t counter_ = 0;
};

}  // namespace aisp
