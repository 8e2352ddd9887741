// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/merge_evidence.h"

#include <gtest/gtest.h>

#include "aisp/wire/json.h"

namespace aisp::harness {
namespace {

Evidence evidence() {
  Evidence e{.workload = "ch07/x", .variant = "v", .threads = 2};
  e.answers = {.calls = 10,
               .checked = 10,
               .wrong = 1,
               .not_finite = 2,
               .unwritten = 3,
               .stale = 4,
               .constant = 5,
               .out_of_bounds = 6,
               .inputs_changed = 7,
               .unanswered = 8,
               .answered_twice = 9,
               .worst_error = 0.5,
               .first_wrong = "y[1]",
               .miss_probability = 1e-9,
               .families = 2,
               .distinct_inputs = 10};
  e.timing = {
      .clock_resolution_ns = 10, .clock_cost_ns = 20, .shortest_window_ns = 500, .clock_disagreement_ppm = 3};
  e.process = {.threads_before = 1,
               .threads_after = 2,
               .cpu_after_return_ns = 100,
               .cpu_in_windows_ns = 1000,
               .wall_in_windows_ns = 1000,
               .minor_faults = 1,
               .major_faults = 1,
               .involuntary_switches = 1,
               .swapped_pages = 1,
               .throttled_periods = 1,
               .steal_ns = 5,
               .migrations = 1,
               .rounding_mode_changed = false};
  e.environment.governor = "performance";
  e.environment.load_before = 0.1;
  return e;
}

TEST(MergeEvidence, TheFirstAttemptIsTakenAsItIs) {
  Evidence merged;
  merge_evidence(merged, evidence());
  EXPECT_EQ(to_json(merged), to_json(evidence()));
}

TEST(MergeEvidence, CountsAddUp) {
  Evidence merged;
  for (int attempt = 0; attempt < 3; ++attempt) merge_evidence(merged, evidence());
  const AnswerEvidence& a = merged.answers;
  EXPECT_EQ(a.calls, 30u);
  EXPECT_EQ(a.checked, 30u);
  EXPECT_EQ(a.wrong, 3u);
  EXPECT_EQ(a.not_finite, 6u);
  EXPECT_EQ(a.unwritten, 9u);
  EXPECT_EQ(a.stale, 12u);
  EXPECT_EQ(a.constant, 15u);
  EXPECT_EQ(a.out_of_bounds, 18u);
  EXPECT_EQ(a.inputs_changed, 21u);
  EXPECT_EQ(a.unanswered, 24u);
  EXPECT_EQ(a.answered_twice, 27u);
  EXPECT_EQ(a.distinct_inputs, 30u);
  EXPECT_EQ(merged.process.major_faults, 3u);
  EXPECT_EQ(merged.process.swapped_pages, 3u);
  EXPECT_EQ(merged.process.throttled_periods, 3u);
  EXPECT_EQ(merged.process.migrations, 3u);
  EXPECT_DOUBLE_EQ(*merged.process.cpu_in_windows_ns, 3000);
}

TEST(MergeEvidence, TheWorstCaseWinsWhicheverAttemptHadIt) {
  for (const bool worst_first : {true, false}) {
    Evidence bad = evidence();
    bad.answers.worst_error = 7;
    bad.answers.miss_probability = 1e-3;
    bad.timing.shortest_window_ns = 50;
    bad.timing.clock_resolution_ns = 99;
    bad.timing.clock_disagreement_ppm = 400;
    bad.process.threads_after = 9;
    bad.process.cpu_after_return_ns = 5e6;
    bad.process.rounding_mode_changed = true;
    bad.process.cores_changed = true;
    bad.process.handlers_changed = true;
    bad.environment.load_before = 3;
    bad.environment.traced = true;
    Evidence merged;
    for (const bool this_one : {worst_first, !worst_first})
      merge_evidence(merged, this_one ? bad : evidence());
    EXPECT_EQ(merged.answers.worst_error, 7);
    EXPECT_EQ(merged.answers.miss_probability, 1e-3);
    EXPECT_EQ(merged.timing.shortest_window_ns, 50);
    EXPECT_EQ(merged.timing.clock_resolution_ns, 99);
    EXPECT_EQ(merged.timing.clock_disagreement_ppm, 400);
    EXPECT_EQ(merged.process.threads_after, 9);
    EXPECT_EQ(merged.process.cpu_after_return_ns, 5e6);
    EXPECT_EQ(merged.process.rounding_mode_changed, true);
    EXPECT_EQ(merged.process.cores_changed, true);
    EXPECT_EQ(merged.process.handlers_changed, true);
    EXPECT_EQ(merged.environment.load_before, 3);
    EXPECT_EQ(merged.environment.traced, true);
  }
}

TEST(MergeEvidence, ClocksOfAllAttemptsWeighTheSameAndReasonsAreNamedOnce) {
  Evidence merged;
  for (const double mhz : {1200.0, 1500.0, 1800.0}) {
    Evidence attempt = evidence();
    attempt.accelerator.core_mhz = mhz;
    attempt.accelerator.throttle_reasons = mhz > 1300 ? "power cap, thermal" : "power cap";
    merge_evidence(merged, attempt);
  }
  EXPECT_DOUBLE_EQ(merged.accelerator.core_mhz.value(), 1500);
  EXPECT_EQ(merged.accelerator.throttle_reasons, "power cap, thermal");
}

TEST(MergeEvidence, AttemptsOfTwoInstrumentsHaveNone) {
  Evidence merged, other;
  merge_evidence(merged, evidence());
  merged.timing.instrument = Instrument::isolated;
  other = merged;
  merge_evidence(merged, other);
  EXPECT_EQ(merged.timing.instrument, Instrument::isolated);
  other.timing.instrument = Instrument::call;
  merge_evidence(merged, other);
  EXPECT_EQ(merged.timing.instrument, std::nullopt);
}

TEST(MergeEvidence, WhatOneAttemptCouldNotEstablishIsUnknown) {
  for (const bool ignorant_first : {true, false}) {
    Evidence clean = evidence(), ignorant = evidence();
    clean.process.major_faults = 0;
    clean.environment.traced = false;
    ignorant.process = {};
    ignorant.environment = {};
    Evidence merged;
    for (const bool this_one : {ignorant_first, !ignorant_first})
      merge_evidence(merged, this_one ? ignorant : clean);
    EXPECT_FALSE(merged.process.major_faults);
    EXPECT_FALSE(merged.process.threads_after);
    EXPECT_FALSE(merged.environment.governor);
    EXPECT_FALSE(merged.environment.traced);
  }
}

TEST(MergeEvidence, AFaultThatOneAttemptEstablishedIsNotForgottenForAnotherThatCouldNotTell) {
  for (const bool ignorant_first : {true, false}) {
    Evidence faulty = evidence(), ignorant = evidence();
    faulty.process.major_faults = 5;
    faulty.environment.traced = true;
    ignorant.process = {};
    ignorant.environment = {};
    Evidence merged;
    for (const bool this_one : {ignorant_first, !ignorant_first})
      merge_evidence(merged, this_one ? ignorant : faulty);
    EXPECT_EQ(merged.process.major_faults, 5u);
    EXPECT_EQ(merged.environment.traced, true);
  }
}

TEST(MergeEvidence, AttemptsUnderDifferentGovernorsAreAChange) {
  Evidence merged;
  Evidence other = evidence();
  other.environment.governor = "powersave";
  merge_evidence(merged, evidence());
  EXPECT_FALSE(merged.environment.governor_changed.value_or(false));
  merge_evidence(merged, other);
  EXPECT_EQ(merged.environment.governor_changed, true);
}

TEST(MergeClosed, MetricsAreMeansOverAllAttempts) {
  const auto attempt = [](std::uint64_t calls, std::vector<std::pair<std::string, double>> metrics) {
    ClosedVariant closed{.name = "v", .evidence = evidence(), .metrics = std::move(metrics)};
    closed.evidence.answers.calls = calls;
    return closed;
  };
  VariantResult merged;
  merge_closed(merged, attempt(10, {{"goodput", 0.5}}));
  EXPECT_EQ(merged.metrics, (decltype(merged.metrics){{"goodput", 0.5}}));
  merge_closed(merged, attempt(30, {{"goodput", 0.9}, {"hits", 7}}));
  merge_closed(merged, attempt(40, {{"goodput", 0.2}}));
  ASSERT_EQ(merged.metrics.size(), 2u);
  EXPECT_DOUBLE_EQ(merged.metrics[0].second, 0.5);
  EXPECT_EQ(merged.metrics[1].second, 7);
  EXPECT_EQ(merged.evidence.answers.calls, 80u);
}

TEST(MergeEvidence, AttemptsThatLaunchOtherwiseAreTold) {
  Evidence all, first = evidence(), second = evidence();
  first.accelerator.captured_kernels = first.accelerator.fewest_captured_kernels = 3;
  second.accelerator.captured_kernels = second.accelerator.fewest_captured_kernels = 2;
  first.accelerator.captured_pieces = 3;
  second.accelerator.captured_pieces = 5;
  merge_evidence(all, first);
  merge_evidence(all, second);
  EXPECT_EQ(all.accelerator.captured_kernels, 3u);
  EXPECT_EQ(all.accelerator.fewest_captured_kernels, 2u);
  EXPECT_EQ(all.accelerator.captured_pieces, 3u);
}

TEST(MergeEvidence, PowerLimitsOfAllAttemptsMakeARange) {
  Evidence high = evidence(), low = evidence(), both = evidence(), ignorant = evidence();
  high.environment.lowest_power_limit_w = high.environment.highest_power_limit_w = 700;
  low.environment.lowest_power_limit_w = low.environment.highest_power_limit_w = 500;
  both.environment.lowest_power_limit_w = 500;
  both.environment.highest_power_limit_w = 700;
  const auto merged = [](const Evidence& first, const Evidence& second) {
    Evidence all;
    merge_evidence(all, first);
    merge_evidence(all, second);
    return std::pair(all.environment.lowest_power_limit_w, all.environment.highest_power_limit_w);
  };
  const std::pair<std::optional<double>, std::optional<double>> range{500, 700}, unknown;
  EXPECT_EQ(merged(high, low), range);
  EXPECT_EQ(merged(low, high), range);
  EXPECT_EQ(merged(high, ignorant), unknown);
  EXPECT_EQ(merged(ignorant, high), unknown);
  EXPECT_EQ(merged(both, ignorant), range) << "a change that was seen was there";
  EXPECT_EQ(merged(ignorant, both), range);
}

}  // namespace
}  // namespace aisp::harness
