// SPDX-License-Identifier: Apache-2.0
// The harness against variants of programmed time, through worker processes and all: the ratio, its interval,
// and what is reported beside it. No test depends on the speed of the machine; a busy one only needs more
// rounds.
#include <gtest/gtest.h>

#include "measured.h"
#include "programmed.h"
#include "tests/sanitized.h"

namespace aisp::known_truth {
namespace {

// A fifth of common noise: without pairing no interval here could be narrower than several per cent.
const Registration equal{programmed("truth/equal", {{"base", {.sigma = 0.01, .round_sigma = 0.2}},
                                                    {"same", {.sigma = 0.01, .round_sigma = 0.2}}})};
const Registration faster{
    programmed("truth/faster", {{"base", {.ns = 300e3, .sigma = 0.02, .round_sigma = 0.2}},
                                {"two thirds", {.ns = 200e3, .sigma = 0.02, .round_sigma = 0.2}},
                                {"tenth", {.ns = 30e3, .sigma = 0.02, .round_sigma = 0.2}}})};
const Registration slower{
    programmed("truth/slower", {{"base", {.sigma = 0.005, .round_sigma = 0.2}},
                                {"slower", {.ns = 102e3, .sigma = 0.005, .round_sigma = 0.2}}})};
const Registration skewed{programmed(
    "truth/skewed",
    {{"base", {.sigma = 0.05, .skewed = true}}, {"half", {.ns = 50e3, .sigma = 0.05, .skewed = true}}})};
const Registration modes{programmed(
    "truth/modes",
    {{"base", {.sigma = 0.003}}, {"two modes", {.sigma = 0.003, .second_mode = 0.3, .second_factor = 1.4}}})};
const Registration drifting{
    programmed("truth/drift", {{"base", {.sigma = 0.003, .drift_per_round = 0.01}},
                               {"faster", {.ns = 80e3, .sigma = 0.003, .drift_per_round = 0.01}}})};
const Registration brief{programmed("truth/brief", {{"base", {.ns = 1500}}, {"half", {.ns = 750}}})};

TEST(KnownRatio, EqualVariantsAreEquivalentWhateverTheMachineDoes) {
  const CellResult cell = measured("truth/equal", quick_config());
  EXPECT_TRUE(holds(*cell.find("same")->speedup, 1.0));
  EXPECT_LE(cell.find("same")->speedup->high - cell.find("same")->speedup->low, 0.03);
  ASSERT_TRUE(cell.aa);
  EXPECT_TRUE(holds(*cell.aa, 1.0));
  EXPECT_NE(finding(*cell.find("same"), "calibrated").level, Level::reject);
}

TEST(KnownRatio, SpeedUpsComeBack) {
  SKIP_WHEN_SANITIZED("times are its own");
  const CellResult cell = measured("truth/faster", quick_config());
  for (const auto& [name, truth] : {std::pair{"two thirds", 1.5}, std::pair{"tenth", 10.0}}) {
    const RatioEstimate& speedup = *cell.find(name)->speedup;
    EXPECT_TRUE(holds(speedup, truth, 100 / 30e3)) << name;  // a call and a spin add up to 100 ns
    EXPECT_EQ(speedup.outcome, Outcome::faster) << name;
    EXPECT_FALSE(speedup.small) << name;
  }
  EXPECT_NEAR(cell.find("base")->time_ns->value / 300e3, 1, 0.1);
}

TEST(KnownRatio, TwoPercentSlowerIsCalledSlower) {
  RunConfig config = quick_config();
  config.precision = 0.003;
  const CellResult cell = measured("truth/slower", config);
  const RatioEstimate& ratio = *cell.find("slower")->speedup;
  EXPECT_TRUE(holds(ratio, 100.0 / 102.0));
  EXPECT_EQ(ratio.outcome, Outcome::slower) << ratio.low << " to " << ratio.high;
}

TEST(KnownRatio, SkewedNoiseDoesNotMoveTheMedian) {
  const CellResult cell = measured("truth/skewed", quick_config());
  EXPECT_TRUE(holds(*cell.find("half")->speedup, 2.0));
}

TEST(KnownShape, TwoModesAreReportedForTheVariantThatHasThem) {
  RunConfig config = quick_config();
  config.looks = {96};
  const CellResult cell = measured("truth/modes", config);
  EXPECT_EQ(cell.find("two modes")->evidence.sampling.two_modes, true);
  EXPECT_EQ(finding(*cell.find("two modes"), "one_mode").level, Level::note);
  EXPECT_TRUE(holds(*cell.find("two modes")->speedup, 1.0));  // the larger mode
}

// Others' work on a busy machine can hide a drift as it can be mistaken for one: one of three measurements.
TEST(KnownShape, DriftIsReportedAndTakenOutOfTheRatio) {
  SKIP_WHEN_SANITIZED("times are its own");
  RunConfig config = quick_config();
  config.looks = {96};
  const auto drifts = [](const CellResult& cell, const char* name) {
    const VariantResult& variant = *cell.find(name);
    return variant.evidence.sampling.drift_per_run.value_or(0) > 0.1 &&
           finding(variant, "no_drift").level == Level::note;
  };
  bool reported = false;
  for (int attempt = 0; attempt < 3 && !reported; ++attempt) {
    const CellResult cell = measured("truth/drift", config);
    reported = drifts(cell, "base") && drifts(cell, "faster");
    const RatioEstimate& ratio = *cell.find("faster")->speedup;
    EXPECT_TRUE(holds(ratio, 1.25));
    EXPECT_LE(ratio.high - ratio.low, 0.05) << "paired rounds take the drift out";
  }
  EXPECT_TRUE(reported);
}

// A busy machine has modes and drifts of its own, so one of three measurements without them is enough.
TEST(KnownShape, SteadyTimesShowNeitherModesNorDrift) {
  RunConfig config = quick_config();
  config.looks = {96};
  bool steady = false;
  for (int attempt = 0; attempt < 3 && !steady; ++attempt) {
    const CellResult cell = measured("truth/slower", config);
    const SamplingEvidence& sampling = cell.find("base")->evidence.sampling;
    steady = sampling.two_modes == false && !sampling.drift_per_run;
  }
  EXPECT_TRUE(steady);
}

// Calls of about a microsecond are batched; the batch must satisfy the guard, or honest short kernels are
// lost.
TEST(KnownRatio, BriefCallsAreBatchedAndNotRejectedByTheClockGuard) {
  SKIP_WHEN_SANITIZED("times are its own");
  const CellResult cell = measured("truth/brief", quick_config());
  const VariantResult& half = *cell.find("half");
  EXPECT_GT(half.samples.calls.front(), 10);
  EXPECT_EQ(half.samples.calls, cell.find("base")->samples.calls) << "unequal windows bias a ratio";
  EXPECT_EQ(finding(half, "timer_resolves").level, Level::pass) << finding(half, "timer_resolves").because;
  EXPECT_NEAR(half.speedup->ratio, 2, 0.2);  // what surrounds the spin counts for both
}

}  // namespace
}  // namespace aisp::known_truth
