// SPDX-License-Identifier: Apache-2.0
// derive() on cells made of numbers: the figure each goal compares, pairing, discards, anchors, ceilings,
// waivers.
#include "aisp/harness/derive.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "aisp/core/rng.h"
#include "aisp/wire/json.h"
#include "fabricated.h"

namespace aisp::known_truth {
namespace {

using harness::derive;
using harness::widest_half_width;

/// A factor around 1, the same for a given round and stream.
double noise(int round, std::uint64_t stream, double sigma) {
  Rng rng(random_word(stream, static_cast<std::uint64_t>(round)));
  return std::exp(sigma * rng.normal());
}
auto noisy(double ns, std::uint64_t stream, double sigma = 0.01) {
  return [=](int round) { return ns * noise(round, stream, sigma); };
}

TEST(Derive, SpeedUpIsTheMedianOfPairedRatios) {
  Fabricated cell;
  // The machine is up to ten times slower in some rounds; both sides meet it.
  const auto machine = [](int round) { return 1.0 + 9.0 * ((round * 7) % 5) / 4; };
  cell.add("base", 48, [&](int r) { return 300e3 * machine(r) * noise(r, 1, 0.01); });
  cell.add("fast", 48, [&](int r) { return 100e3 * machine(r) * noise(r, 2, 0.01); });
  cell.add_again(48, [&](int r) { return 300e3 * machine(r) * noise(r, 3, 0.01); });
  derive(cell.result, cell.config);
  const RatioEstimate& speedup = *cell.result.find("fast")->speedup;
  EXPECT_NEAR(speedup.ratio, 3, 0.02);
  EXPECT_LE(speedup.low, 3);
  EXPECT_GE(speedup.high, 3);
  EXPECT_LT(speedup.high - speedup.low, 0.1) << "pairing takes the machine out";
  EXPECT_EQ(speedup.against, "base");
  EXPECT_EQ(speedup.rounds, 48);
  EXPECT_EQ(speedup.outcome, Outcome::faster);
  EXPECT_FALSE(cell.result.find("base")->speedup) << "the baseline is compared with nothing";
  ASSERT_TRUE(cell.result.aa);
  EXPECT_LE(cell.result.aa->low, 1);
  EXPECT_GE(cell.result.aa->high, 1);
  EXPECT_EQ(cell.result.validity, Validity::valid);
  EXPECT_EQ(cell.result.best(), cell.result.find("fast"));
}

TEST(Derive, IsPureAndRepeatable) {
  Fabricated cell;
  cell.add("base", 24, noisy(200e3, 1));
  cell.add("fast", 24, noisy(100e3, 2));
  cell.add_again(24, noisy(200e3, 3));
  const Samples before = cell.result.variants[1].samples;
  derive(cell.result, cell.config);
  const Json once = to_json(cell.result);
  EXPECT_EQ(to_json(before), to_json(cell.result.variants[1].samples));
  derive(cell.result, cell.config);
  EXPECT_EQ(once, to_json(cell.result));
}

TEST(Derive, ARungOfEveryKthRoundIsPairedThere) {
  Fabricated cell;
  // Odd rounds are twice as slow: pairing a sample with a round it is not in would show.
  const auto machine = [](int round) { return round % 4 == 0 ? 1.0 : 2.0; };
  cell.add("base", 96, [&](int r) { return 100e3 * machine(r) * noise(r, 1, 0.001); });
  cell.add("slow", 96, [&](int r) { return 500e3 * machine(r) * noise(r, 2, 0.001); }, 4);
  cell.add_again(96, [&](int r) { return 100e3 * machine(r) * noise(r, 3, 0.001); });
  derive(cell.result, cell.config);
  const VariantResult& slow = *cell.result.find("slow");
  EXPECT_EQ(slow.speedup->rounds, 24);
  EXPECT_NEAR(slow.speedup->ratio, 0.2, 0.002);
  EXPECT_EQ(slow.evidence.sampling.rounds, 24);
}

TEST(Derive, DiscardedRoundsAreLeftOutOfEverythingAndCounted) {
  Fabricated cell;
  const auto spoilt = [](int round) { return round >= 40; };
  cell.add("base", 48, [&](int r) { return spoilt(r) ? 1.0 : 200e3 * noise(r, 1, 0.01); });
  cell.add("fast", 48, [&](int r) { return spoilt(r) ? 1e12 : 100e3 * noise(r, 2, 0.01); });
  cell.add_again(48, [&](int r) { return spoilt(r) ? 7.0 : 200e3 * noise(r, 3, 0.01); });
  for (int r = 40; r < 48; ++r) cell.discard(r, "pages were swapped in");
  derive(cell.result, cell.config);
  const VariantResult& fast = *cell.result.find("fast");
  EXPECT_EQ(fast.speedup->rounds, 40);
  EXPECT_NEAR(fast.speedup->ratio, 2, 0.02);
  EXPECT_LT(fast.time_ns->high, 200e3);
  EXPECT_EQ(fast.evidence.sampling.rounds, 40);
  EXPECT_EQ(fast.evidence.sampling.rounds_discarded, 8);
  EXPECT_EQ(fast.evidence.sampling.discard_reasons, std::vector<std::string>{"pages were swapped in"});
  EXPECT_NEAR(cell.result.aa->ratio, 1, 0.02);
  EXPECT_EQ(fast.samples.size(), 48u) << "the samples stay";
}

TEST(Derive, ExtremeValuesAreNotDiscarded) {
  Fabricated cell;
  cell.add("base", 24, noisy(200e3, 1));
  cell.add("fast", 24, [](int r) { return (r % 8 == 0 ? 50 : 1) * 100e3 * noise(r, 2, 0.01); });
  cell.add_again(24, noisy(200e3, 3));
  derive(cell.result, cell.config);
  EXPECT_EQ(cell.result.find("fast")->speedup->rounds, 24);
  EXPECT_EQ(cell.result.find("fast")->evidence.sampling.rounds_discarded, 0);
}

// Rounds that resemble their neighbours know less than their number says; so do processes that disagree.
TEST(Derive, RoundsThatResembleTheirNeighboursGiveAWiderInterval) {
  const auto cell_of = [](double memory) {
    Fabricated cell;
    std::vector<double> slow_noise(96);  // of the variant alone, so that pairing cannot take it out
    for (int attempt = 0; attempt < 3; ++attempt) {
      double last = 0;
      for (std::size_t r = static_cast<std::size_t>(attempt); r < slow_noise.size(); r += 3) {
        last = memory * last + std::sqrt(1 - memory * memory) * std::log(noise(static_cast<int>(r), 9, 0.02));
        slow_noise[r] = last;
      }
    }
    cell.add("base", 96, noisy(100e3, 1, 0.001));
    cell.add("variant", 96, [&](int r) { return 100e3 * std::exp(slow_noise[static_cast<std::size_t>(r)]); });
    derive(cell.result, cell.config);
    return *cell.result.find("variant")->speedup;
  };
  const RatioEstimate independent = cell_of(0), dependent = cell_of(0.5);
  EXPECT_EQ(independent.method, "sign");
  EXPECT_EQ(dependent.method, "block bootstrap");
  EXPECT_GT(dependent.high - dependent.low, 1.3 * (independent.high - independent.low));
}

TEST(Derive, ProcessesThatDisagreeAreAllCovered) {
  Fabricated cell;
  cell.add("base", 96, noisy(100e3, 1, 0.002));
  // Two processes see 2 %, the third 6 %.
  cell.add("variant", 96, [](int r) { return 100e3 / (r % 3 == 2 ? 1.06 : 1.02) * noise(r, 2, 0.002); });
  derive(cell.result, cell.config);
  const VariantResult& variant = *cell.result.find("variant");
  EXPECT_EQ(variant.speedup->method, "attempts differ");
  EXPECT_LE(variant.speedup->low, 1.02);
  EXPECT_GE(variant.speedup->high, 1.06);
  EXPECT_NEAR(*variant.evidence.sampling.attempt_spread, 0.04, 0.005);
}

TEST(Derive, LatencyComparesTheNinetyNinthPercentileOfItems) {
  Fabricated cell;
  cell.result.goal = Goal::latency;
  // The first is quicker on the whole and has a slow tail; the second is slower and even.
  for (const auto& [name, usual, tail] : {std::tuple{"base", 1e3, 9e3}, std::tuple{"even", 2e3, 3e3}}) {
    VariantResult& v = cell.add(name, 24, noisy(usual * 1000, 5, 0.001));
    for (int r = 0; r < 24; ++r) {
      std::vector<double> items(1000, usual * noise(r, 6, 0.001));
      std::fill(items.end() - 20, items.end(), tail * noise(r, 7, 0.001));
      v.samples.items.push_back(items);
    }
  }
  derive(cell.result, cell.config);
  const VariantResult& even = *cell.result.find("even");
  EXPECT_NEAR(even.speedup->ratio, 3, 0.02);
  EXPECT_NEAR(even.figure->value, 3e3, 50);
  EXPECT_NEAR(even.time_ns->value, 2e6, 1e4) << "the time stays the time of the whole trace";
}

TEST(Derive, ThroughputIsItemsPerSecondWithTheIntervalTurnedRound) {
  Fabricated cell;
  cell.result.goal = Goal::throughput;
  cell.result.work_items = 1000;
  cell.add("base", 24, noisy(2e6, 1));
  cell.add("fast", 24, noisy(1e6, 2));
  derive(cell.result, cell.config);
  const Estimate& figure = *cell.result.find("fast")->figure;
  EXPECT_NEAR(figure.value, 1e6, 1e4);
  EXPECT_LE(figure.low, figure.value);
  EXPECT_GE(figure.high, figure.value);
  EXPECT_NEAR(cell.result.find("fast")->speedup->ratio, 2, 0.02);
}

TEST(Derive, MemoryComparesPeaksAndReportsSavings) {
  Fabricated cell;
  cell.result.goal = Goal::memory;
  const auto add = [&](const std::string& name, std::uint64_t seed, const std::vector<double>& peaks) {
    VariantResult& variant = cell.add(name, 24, noisy(130e3, seed));
    variant.memory.peak_bytes = peaks[1];
    variant.memory_peaks = peaks;
  };
  add("keep all", 1, {80e6, 80e6, 84e6});
  add("recompute", 2, {19e6, 20e6, 20e6});
  cell.add("unknown", 24, noisy(130e3, 3));
  add("nothing", 4, {0, 0, 0});
  derive(cell.result, cell.config);
  const VariantResult& recompute = *cell.result.find("recompute");
  EXPECT_DOUBLE_EQ(recompute.speedup->ratio, 4);
  EXPECT_DOUBLE_EQ(recompute.speedup->low, 0.97 * 80e6 / (1.03 * 20e6))
      << "the least the attempts show, as far as pages are counted";
  EXPECT_DOUBLE_EQ(recompute.speedup->high, 1.03 * 84e6 / (0.97 * 19e6));
  EXPECT_EQ(recompute.speedup->outcome, Outcome::faster);
  EXPECT_DOUBLE_EQ(*recompute.memory.savings_percent, 75);
  EXPECT_DOUBLE_EQ(recompute.figure->value, 20e6);
  EXPECT_FALSE(cell.result.find("unknown")->speedup);
  EXPECT_TRUE(std::isfinite(cell.result.find("nothing")->speedup->ratio))
      << "nothing used is not infinitely better";
  EXPECT_EQ(widest_half_width(cell.result), 0) << "more rounds do not narrow a peak";
}

TEST(Derive, ComparesEveryRungWithTheBestBelievableAnchor) {
  Fabricated cell;
  cell.add("base", 24, noisy(400e3, 1));
  cell.add("fast", 24, noisy(110e3, 2));
  cell.add("library", 24, noisy(100e3, 3)).rung = Rung::anchor;
  cell.add("other library", 24, noisy(150e3, 4)).rung = Rung::anchor;
  VariantResult& wrong = cell.add("wrong library", 24, noisy(10e3, 5));
  wrong.rung = Rung::anchor;
  wrong.evidence.answers.wrong = 1;
  cell.add_again(24, noisy(400e3, 6));
  derive(cell.result, cell.config);
  const VariantResult& fast = *cell.result.find("fast");
  ASSERT_TRUE(fast.of_anchor);
  EXPECT_EQ(fast.of_anchor->against, "library");
  EXPECT_NEAR(fast.of_anchor->ratio, 100.0 / 110, 0.02);
  EXPECT_FALSE(cell.result.find("library")->of_anchor);
  EXPECT_EQ(cell.result.best(), &fast) << "an anchor is not a rung of the ladder";
}

TEST(Derive, PercentOfCeilingIsFloorOverTime) {
  Fabricated cell;
  cell.add("base", 24, noisy(200e3, 1)).evidence.floor = {.floor_ns = 50e3, .bound = "read bandwidth"};
  cell.add("fast", 24, noisy(100e3, 2)).evidence.floor = {.floor_ns = 50e3, .bound = "read bandwidth"};
  cell.add("no floor", 24, noisy(100e3, 3));
  derive(cell.result, cell.config);
  EXPECT_NEAR(*cell.result.find("fast")->percent_of_ceiling, 50, 1);
  EXPECT_EQ(cell.result.find("fast")->ceiling, "read bandwidth");
  EXPECT_FALSE(cell.result.find("no floor")->percent_of_ceiling);
}

TEST(Derive, ThePairedCeilingComparesBandwidthsRoundByRound) {
  Fabricated cell;
  // A machine that is half as fast in every other round: the ratio must not notice.
  const auto uneven = [](double ns, int seed) {
    return [noise = noisy(ns, seed)](int round) { return noise(round) * (1 + round / 3 % 2); };
  };
  cell.add("base", 24, uneven(400e3, 1));
  cell.add("fast", 24, uneven(100e3, 2));
  cell.result.work_bytes = 1e6;
  cell.result.paired.name = "read (probe)";
  cell.result.paired.bytes = 2e6;  // in 160 us: the work's bytes would take it 80
  cell.result.paired.samples = cell.add("moved", 24, uneven(160e3, 3)).samples;
  cell.result.variants.pop_back();
  derive(cell.result, cell.config);
  const auto& of_paired = cell.result.find("fast")->of_paired;
  ASSERT_TRUE(of_paired);
  EXPECT_EQ(of_paired->against, "read (probe)");
  EXPECT_NEAR(of_paired->ratio, 0.8, 0.02);
  EXPECT_LT(of_paired->high - of_paired->low, 0.1);
  cell.result.work_bytes = 0;
  derive(cell.result, cell.config);
  EXPECT_FALSE(cell.result.find("fast")->of_paired) << "without bytes there is no bandwidth";
}

TEST(Derive, TheCalibrationIsOfTheVariantThatWasSampledTwice) {
  Fabricated cell;
  cell.add("base", 24, noisy(400e3, 1), 4);
  cell.add("fast", 24, noisy(100e3, 2));
  cell.result.aa_variant = "fast";
  cell.add_again(24, noisy(100e3, 3));
  derive(cell.result, cell.config);
  ASSERT_TRUE(cell.result.aa);
  EXPECT_EQ(cell.result.aa->against, "fast");
  EXPECT_EQ(cell.result.aa->rounds, 24);
  EXPECT_NEAR(cell.result.aa->ratio, 1, 0.02);
}

TEST(Derive, SamplingGoesOnUntilTheBestIsPreciseAgainstItsAnchor) {
  Fabricated cell;
  cell.add("base", 96, noisy(400e3, 1));
  cell.add("fast", 96, noisy(100e3, 2));
  derive(cell.result, cell.config);
  const double without = widest_half_width(cell.result);
  cell.add("library", 96, [](int round) { return 90e3 + 20e3 * (round % 5); }).rung = Rung::anchor;
  derive(cell.result, cell.config);
  EXPECT_GT(widest_half_width(cell.result), 2 * without);
}

TEST(Derive, AWaivedRejectionIsShownAndDoesNotDecide) {
  Fabricated cell;
  cell.add("base", 24, noisy(200e3, 1));
  cell.add("fast", 24, noisy(100e3, 2)).evidence.process.major_faults = 3;
  cell.add_again(24, noisy(200e3, 3));
  derive(cell.result, cell.config);
  EXPECT_EQ(cell.result.find("fast")->validity, Validity::invalid);
  EXPECT_EQ(cell.result.best(), nullptr);
  EXPECT_EQ(cell.result.validity, Validity::invalid) << "an honest baseline proves nothing of the claim";
  cell.config.waivers = {"no_page_faults"};
  derive(cell.result, cell.config);
  EXPECT_EQ(cell.result.find("fast")->validity, Validity::valid);
  const auto& findings = cell.result.find("fast")->findings;
  EXPECT_TRUE(std::ranges::any_of(findings,
                                  [](const Finding& f) { return f.guard == "no_page_faults" && f.waived; }));
}

TEST(Derive, OneBelievableRungMakesACellValidBesideARejectedOne) {
  Fabricated cell;
  cell.add("base", 24, noisy(200e3, 1));
  cell.add("fast", 24, noisy(100e3, 2)).evidence.process.major_faults = 3;
  cell.add("honest", 24, noisy(150e3, 4));
  cell.add_again(24, noisy(200e3, 3));
  derive(cell.result, cell.config);
  EXPECT_EQ(cell.result.find("fast")->validity, Validity::invalid);
  EXPECT_EQ(cell.result.validity, Validity::valid);
}

TEST(Derive, AnAttemptOfSeveralWorkersIsOneAndFinishedOnlyIfAllOfThemAre) {
  Fabricated cell;
  cell.add("base", 24, noisy(200e3, 1));
  cell.result.attempts.clear();
  for (const int attempt : {0, 1, 2})
    for (const char* status : {"finished", attempt == 1 ? "crashed" : "finished"})
      cell.result.attempts.push_back({.attempt = attempt, .status = status});
  derive(cell.result, cell.config);
  EXPECT_EQ(cell.result.find("base")->evidence.sampling.attempts_finished, 2);
}

TEST(Derive, AnAaThatExcludesOneByMoreThanTheRegionRejectsTheRow) {
  Fabricated cell;
  cell.add("base", 24, noisy(200e3, 1));
  cell.add("fast", 24, noisy(100e3, 2));
  cell.add_again(24, noisy(220e3, 3));
  derive(cell.result, cell.config);
  EXPECT_LT(cell.result.aa->high, 1 / 1.02);
  EXPECT_EQ(cell.result.validity, Validity::invalid);
}

}  // namespace
}  // namespace aisp::known_truth
