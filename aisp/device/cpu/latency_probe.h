// SPDX-License-Identifier: Apache-2.0
/// \file
/// Latency of one dependent load: a pointer chase through all lines of a region in an order no prefetcher
/// follows.
///
///   PointerChase chase(memory, bytes);
///   const double ns = timed(chase.follow(loads)) / loads;
///
/// Uses the memory it is given; does not own it. The time includes what address translation costs in it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace aisp::device {

class PointerChase {
 public:
  /// Writes one cycle through all 64-byte lines of [memory, memory + bytes).
  PointerChase(std::byte* memory, std::size_t bytes, std::uint64_t seed = 1);
  /// Follows that many links, going on where the last call stopped.
  void follow(std::size_t loads);
  std::size_t lines() const { return lines_; }

 private:
  void* at_;
  std::size_t lines_;
};

}  // namespace aisp::device
