// SPDX-License-Identifier: Apache-2.0
// Whole comparisons simulated through derive(), stopped as the coordinator stops: how often does the interval
// hold the truth, how often does an A/A call a difference, how often is 2 % seen? Seeds are fixed: the counts
// are too.
#include <gtest/gtest.h>

#include <cmath>

#include "aisp/core/rng.h"
#include "aisp/harness/derive.h"
#include "fabricated.h"

namespace aisp::known_truth {
namespace {

struct Simulated {
  int comparisons = 0, covered = 0, called = 0, aa_called = 0;
  double largest_called = 0;
};

/// Samples from look to look until the interval is as narrow as the plan asks.
Simulated simulate(int comparisons, double truth, double sigma) {
  Simulated result;
  for (int i = 0; i < comparisons; ++i) {
    Fabricated cell;
    for (std::size_t look = 0; look < cell.config.looks.size(); ++look) {
      const int rounds = cell.config.looks[look];
      const auto time = [&](double ns, std::uint64_t who) {
        return [=, i = static_cast<std::uint64_t>(i)](int r) {
          Rng machine(random_word(i, static_cast<std::uint64_t>(r)));
          Rng own(random_word(random_word(i + 1'000'000, who), static_cast<std::uint64_t>(r)));
          return ns * std::exp(0.3 * machine.normal() + sigma * own.normal());
        };
      };
      cell = Fabricated();
      cell.add("base", rounds, time(100e3, 1));
      cell.add("variant", rounds, time(100e3 / truth, 2));
      cell.add_again(rounds, time(100e3, 3));
      cell.result.look = static_cast<int>(look);
      harness::derive(cell.result, cell.config);
      if (harness::widest_half_width(cell.result) <= cell.config.precision) break;
    }
    const RatioEstimate& ratio = *cell.result.find("variant")->speedup;
    const auto called = [](const RatioEstimate& r) {
      return r.outcome == Outcome::faster || r.outcome == Outcome::slower;
    };
    ++result.comparisons;
    if (ratio.low <= truth && truth <= ratio.high) ++result.covered;
    if (called(ratio)) {
      ++result.called;
      result.largest_called = std::max(result.largest_called, std::fabs(ratio.ratio - 1));
    }
    if (called(*cell.result.aa)) ++result.aa_called;
  }
  return result;
}

TEST(SimulatedComparisons, IntervalsHoldTheTruthAndEqualVariantsAreRarelyCalledDifferent) {
  const Simulated equal = simulate(300, 1.0, 0.02);
  EXPECT_GE(equal.covered, 0.94 * equal.comparisons);
  EXPECT_LE(equal.called, 0.085 * equal.comparisons);
  EXPECT_LE(equal.aa_called, 0.085 * equal.comparisons);
  EXPECT_LE(equal.largest_called, 0.02);
}

TEST(SimulatedComparisons, TwoPercentIsSeen) {
  const Simulated slower = simulate(100, 1 / 1.02, 0.015);
  EXPECT_GE(slower.called, 90);
  EXPECT_GE(slower.covered, 94);
}

}  // namespace
}  // namespace aisp::known_truth
