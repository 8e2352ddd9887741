// SPDX-License-Identifier: Apache-2.0
// derive() where little or nothing is known: no round, one round, zeros, equal values, NaN. Unknown stays
// unknown; nothing is divided by zero and nothing is infinitely fast.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "aisp/harness/derive.h"
#include "aisp/wire/json.h"
#include "fabricated.h"

namespace aisp::known_truth {
namespace {

using harness::derive;
using harness::widest_half_width;

const auto steady = [](double ns) { return [ns](int) { return ns; }; };

/// No infinite or undefined number anywhere in what was derived, except the ends of a missing interval.
void expect_no_nonsense(const CellResult& cell) {
  for (const VariantResult& v : cell.variants) {
    if (v.speedup) {
      EXPECT_TRUE(std::isfinite(v.speedup->ratio)) << v.name;
      EXPECT_GT(v.speedup->ratio, 0) << v.name;
    }
    for (const auto& estimate : {v.time_ns, v.figure}) {
      if (!estimate) continue;
      for (const double part : {estimate->value, estimate->low, estimate->high})
        EXPECT_TRUE(std::isfinite(part)) << v.name;
    }
    if (v.percent_of_ceiling) {
      EXPECT_TRUE(std::isfinite(*v.percent_of_ceiling)) << v.name;
    }
    if (v.evidence.sampling.attempt_spread) {
      EXPECT_TRUE(std::isfinite(*v.evidence.sampling.attempt_spread)) << v.name;
    }
  }
  EXPECT_TRUE(from_json<CellResult>(to_json(cell))) << "can be stored";
}

TEST(DeriveEdges, NoVariantAtAllIsFailed) {
  Fabricated cell;
  derive(cell.result, cell.config);
  EXPECT_EQ(cell.result.validity, Validity::failed);
}

TEST(DeriveEdges, NoRoundSupportsNothing) {
  Fabricated cell;
  cell.add("base", 0, steady(1));
  cell.add("fast", 0, steady(1));
  derive(cell.result, cell.config);
  EXPECT_FALSE(cell.result.find("fast")->time_ns);
  EXPECT_FALSE(cell.result.find("fast")->speedup);
  EXPECT_EQ(widest_half_width(cell.result), HUGE_VAL) << "not precise: unknown";
  EXPECT_NE(cell.result.validity, Validity::valid);
  expect_no_nonsense(cell.result);
}

TEST(DeriveEdges, OneRoundHasARatioAndNoInterval) {
  Fabricated cell;
  cell.add("base", 1, steady(200e3));
  cell.add("fast", 1, steady(100e3));
  cell.add_again(1, steady(200e3));
  derive(cell.result, cell.config);
  const RatioEstimate& ratio = *cell.result.find("fast")->speedup;
  EXPECT_DOUBLE_EQ(ratio.ratio, 2);
  EXPECT_EQ(ratio.low, 0);
  EXPECT_TRUE(std::isinf(ratio.high));
  EXPECT_EQ(ratio.outcome, Outcome::inconclusive);
  EXPECT_EQ(widest_half_width(cell.result), HUGE_VAL);
  EXPECT_EQ(cell.result.find("fast")->validity, Validity::invalid) << "too few samples";
  expect_no_nonsense(cell.result);
}

TEST(DeriveEdges, EqualSamplesAreExactlyEquivalent) {
  Fabricated cell;
  cell.add("base", 24, steady(100e3));
  cell.add("same", 24, steady(100e3));
  cell.add_again(24, steady(100e3));
  derive(cell.result, cell.config);
  const RatioEstimate& ratio = *cell.result.find("same")->speedup;
  EXPECT_DOUBLE_EQ(ratio.low, 1);
  EXPECT_DOUBLE_EQ(ratio.high, 1);
  EXPECT_EQ(ratio.outcome, Outcome::equivalent);
  EXPECT_EQ(cell.result.find("same")->evidence.sampling.two_modes, false);
  EXPECT_FALSE(cell.result.find("same")->evidence.sampling.drift_per_run);
  expect_no_nonsense(cell.result);
}

TEST(DeriveEdges, ATimeOfZeroIsNoSpeedUp) {
  for (const bool all : {true, false}) {
    Fabricated cell;
    cell.result.work_items = 10;
    cell.result.goal = all ? Goal::throughput : Goal::speed;
    cell.add("base", 24, steady(100e3)).evidence.floor.floor_ns = 10;
    cell.add("free", 24, [&](int r) { return all || r % 2 == 0 ? 0.0 : 100e3; }).evidence.floor.floor_ns = 10;
    cell.add("honest", 24, steady(50e3));
    cell.add_again(24, steady(100e3));
    derive(cell.result, cell.config);
    EXPECT_TRUE(!cell.result.find("free")->speedup ||
                cell.result.find("free")->speedup->outcome == Outcome::inconclusive);
    EXPECT_EQ(cell.result.best(), cell.result.find("honest"));
    expect_no_nonsense(cell.result);
  }
}

TEST(DeriveEdges, ABaselineOfZeroIsNoSlowDown) {
  Fabricated cell;
  cell.add("base", 24, steady(0));
  cell.add("slow", 24, steady(100e3));
  cell.add_again(24, steady(0));
  derive(cell.result, cell.config);
  EXPECT_FALSE(cell.result.find("slow")->speedup);
  EXPECT_FALSE(cell.result.aa);
  expect_no_nonsense(cell.result);
}

TEST(DeriveEdges, ANaNMakesTheAnswerUnknown) {
  Fabricated cell;
  cell.add("base", 24, steady(100e3));
  cell.add("broken", 24, [](int r) { return r == 5 ? std::numeric_limits<double>::quiet_NaN() : 50e3; });
  cell.add("honest", 24, steady(80e3));
  cell.add_again(24, steady(100e3));
  derive(cell.result, cell.config);
  EXPECT_FALSE(cell.result.find("broken")->speedup);
  EXPECT_FALSE(cell.result.find("broken")->time_ns);
  EXPECT_EQ(cell.result.best(), cell.result.find("honest")) << "an unknown hides nobody";
  EXPECT_EQ(widest_half_width(cell.result), HUGE_VAL);
}

TEST(DeriveEdges, RoundsWithoutTheBaselineSupportNoRatio) {
  Fabricated cell;
  cell.add("base", 2, steady(100e3));
  VariantResult& fast = cell.add("fast", 24, steady(50e3));
  for (int& round : fast.samples.round) round += 100;  // no round in common
  derive(cell.result, cell.config);
  EXPECT_FALSE(cell.result.find("fast")->speedup);
  EXPECT_TRUE(cell.result.find("fast")->time_ns);
}

TEST(DeriveEdges, SkippedAndFailedVariantsAreLeftAsTheyAre) {
  Fabricated cell;
  cell.add("base", 24, steady(100e3));
  cell.add("absent", 0, steady(1)).skipped = "the library is missing";
  VariantResult& crashed = cell.add("crashed", 3, steady(1));
  crashed.validity = Validity::failed;
  crashed.findings = {{.guard = "worker", .level = Level::reject, .because = "crashed: SIGSEGV"}};
  cell.add_again(24, steady(100e3));
  derive(cell.result, cell.config);
  EXPECT_FALSE(cell.result.find("absent")->speedup);
  EXPECT_TRUE(cell.result.find("absent")->findings.empty());
  EXPECT_EQ(cell.result.find("crashed")->validity, Validity::failed);
  EXPECT_EQ(cell.result.find("crashed")->findings.size(), 1u);
  EXPECT_EQ(widest_half_width(cell.result), 0) << "neither keeps the cell from being precise";
}

TEST(DeriveEdges, LooksBeyondThePlanAreTakenForTheLast) {
  Fabricated cell;
  cell.add("base", 24, steady(100e3));
  cell.result.look = 99;
  derive(cell.result, cell.config);
  EXPECT_EQ(cell.result.look, static_cast<int>(cell.config.looks.size()) - 1);
}

}  // namespace
}  // namespace aisp::known_truth
