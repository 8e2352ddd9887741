// SPDX-License-Identifier: Apache-2.0
#include "kernels.h"

#include <algorithm>
#include <cmath>

#include "aisp/device/clock.h"

namespace aisp::benchmarks {

void spin(std::int64_t ns) {
  const auto& clock = device::Clock::instance();
  const double end = clock.now_ns() + static_cast<double>(ns);
  while (clock.now_ns() < end) {
  }
}

[[gnu::noinline]] std::uint64_t chain(std::uint64_t x, std::int64_t length) {
  for (std::int64_t i = 0; i < length; ++i) {
    x = x * 6364136223846793005ull + 1442695040888963407ull;
    asm volatile("" : "+r"(x));  // one link after the other, neither merged nor left out
  }
  return x;
}

std::int64_t chain_length(double ns) {
  constexpr std::int64_t kTrial = 100'000;
  const auto& clock = device::Clock::instance();
  double fastest = HUGE_VAL;
  for (int i = 0; i < 50; ++i) {
    const double start = clock.now_ns();
    chain(static_cast<std::uint64_t>(i), kTrial);
    fastest = std::min(fastest, clock.now_ns() - start);
  }
  return static_cast<std::int64_t>(std::llround(ns / fastest * kTrial));
}

}  // namespace aisp::benchmarks
