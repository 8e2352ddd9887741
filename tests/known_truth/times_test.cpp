// SPDX-License-Identifier: Apache-2.0
// The time of a variant, with slow phases of the machine in it that ratios do not see.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "aisp/core/rng.h"
#include "aisp/harness/derive.h"
#include "fabricated.h"

namespace aisp::known_truth {
namespace {

TEST(Times, SlowPhasesWidenTheIntervalOfATimeAndNotOfARatio) {
  constexpr int kCells = 200, kRounds = 96;
  constexpr double kMemory = 0.6, kTrueNs = 100e3;
  int covered = 0, narrow = 0;
  for (int c = 0; c < kCells; ++c) {
    Rng rng(random_word(2024, static_cast<std::uint64_t>(c)));
    std::vector<double> phase(kRounds);
    for (std::size_t r = 0; r < kRounds; ++r) {  // three attempts in turn
      const double fresh = 0.02 * rng.normal();
      phase[r] = r < 3 ? fresh : kMemory * phase[r - 3] + std::sqrt(1 - kMemory * kMemory) * fresh;
    }
    const auto time = [&](int r) { return kTrueNs * std::exp(phase[static_cast<std::size_t>(r)]); };
    Fabricated cell;
    cell.add("base", kRounds, [&](int r) { return 2 * time(r) * (1 + 1e-4 * rng.normal()); });
    cell.add("variant", kRounds, time);
    harness::derive(cell.result, cell.config);
    const VariantResult& variant = *cell.result.find("variant");
    const Estimate ns = *variant.time_ns;
    covered += ns.low <= kTrueNs && kTrueNs <= ns.high;
    narrow += variant.speedup->high - variant.speedup->low < 1e-3;
  }
  EXPECT_GE(covered, 0.94 * kCells);
  EXPECT_EQ(narrow, kCells);
}

}  // namespace
}  // namespace aisp::known_truth
