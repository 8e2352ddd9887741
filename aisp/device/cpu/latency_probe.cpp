// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cpu/latency_probe.h"

#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "aisp/core/check.h"
#include "aisp/core/rng.h"

namespace aisp::device {

/// Sattolo's shuffle makes a permutation that is one single cycle, so no short loop can hide in a faster
/// level.
PointerChase::PointerChase(std::byte* memory, std::size_t bytes, std::uint64_t seed)
    : at_(memory), lines_(bytes / 64) {
  AISP_CHECK(lines_ >= 2, "a pointer chase needs two lines");
  std::vector<std::uint32_t> next(lines_);
  std::iota(next.begin(), next.end(), 0u);
  Rng rng(seed);
  for (std::size_t i = lines_ - 1; i > 0; --i) std::swap(next[i], next[rng.below(i)]);
  for (std::size_t i = 0; i < lines_; ++i) {
    void* target = memory + std::size_t{next[i]} * 64;
    std::memcpy(memory + i * 64, &target, sizeof target);
  }
}

void PointerChase::follow(std::size_t loads) {
  void* at = at_;
  for (std::size_t i = 0; i < loads; i += 8)
    for (int k = 0; k < 8; ++k) at = *static_cast<void* volatile*>(at);
  at_ = at;
}

}  // namespace aisp::device
