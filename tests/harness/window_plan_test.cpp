// SPDX-License-Identifier: Apache-2.0
// How a cell's time is shared between rungs that take very different times.
#include "aisp/harness/window_plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "aisp/device/clock.h"

namespace aisp::harness {
namespace {

using Periods = std::vector<int>;

TEST(SamplingPeriods, EveryoneTakesPartWhereTheRoundsFit) {
  EXPECT_EQ(sampling_periods({100e6, 1e6, 1e6}, 10), Periods({1, 1, 1}));
}

TEST(SamplingPeriods, ARungThatTakesLongerThanAllOthersIsSampledRarely) {
  EXPECT_EQ(sampling_periods({700e6, 300e6, 200e6}, 10), Periods({1, 1, 1}));
  EXPECT_EQ(sampling_periods({3e9, 300e6, 200e6, 200e6}, 10), Periods({8, 1, 1, 1}));
  EXPECT_EQ(sampling_periods({3e9, 300e6, 200e6, 200e6}, 10, 2e9), Periods({1, 1, 1, 1}))
      << "most of a round is spent whether or not it takes part";
}

TEST(SamplingPeriods, RarenessHasALimit) {
  EXPECT_EQ(sampling_periods({1e12, 1e6}, 10), Periods({8, 1})) << "or it would never reach an interval";
}

TEST(SamplingPeriods, EqualRungsShareWhatTimeThereIs) {
  EXPECT_EQ(sampling_periods({1e9, 1.1e9}, 10), Periods({1, 1}));
  EXPECT_EQ(sampling_periods({1e9, 1e9, 1e9}, 10), Periods({1, 1, 1}));
  EXPECT_EQ(sampling_periods({5e9}, 10), Periods({1})) << "nobody to make room for";
}

TEST(SamplingPeriods, WithoutATimeNobodyIsLeftOut) {
  EXPECT_EQ(sampling_periods({3e9, 1e6}, 0), Periods({1, 1}));
}

TEST(CallsPerWindow, ShortCallsAreBatchedAndLongOnesNot) {
  const WindowRequest shortest{.fastest_call_ns = 100, .set_bytes = 4096, .tensors = 2, .free_bytes = 1e9};
  EXPECT_GE(calls_per_window({}, shortest), 200);
  const WindowRequest longest{.fastest_call_ns = 1e9, .set_bytes = 4096, .tensors = 2, .free_bytes = 1e9};
  EXPECT_EQ(calls_per_window({}, longest), 1);
}

TEST(CallsPerWindow, TheReadingOfTheClockIsNotTheCall) {
  const double cost = device::Clock::instance().cost_ns();
  ASSERT_GT(cost, 0);
  const WindowRequest tiny{.fastest_call_ns = 2 * cost, .set_bytes = 4096, .tensors = 2, .free_bytes = 1e12};
  EXPECT_GE(calls_per_window({}, tiny), std::min(8192.0, shortest_window_ns() / cost));
}

TEST(CallsPerWindow, NeverMoreThanMemoryOrMappingsAllow) {
  const WindowRequest large{.fastest_call_ns = 10, .set_bytes = 100'000'000, .tensors = 2, .free_bytes = 1e9};
  EXPECT_EQ(calls_per_window({}, large), 2) << "a quarter of what is free";
  const WindowRequest many{.fastest_call_ns = 1, .set_bytes = 64, .tensors = 64, .free_bytes = 1e12};
  EXPECT_LE(calls_per_window({}, many) * 64, 16384);
  const WindowRequest none{.fastest_call_ns = 10, .set_bytes = 100'000'000, .tensors = 2, .free_bytes = 0};
  EXPECT_EQ(calls_per_window({}, none), 1);
}

TEST(CallsPerWindow, WhatIsAskedForIsTaken) {
  const WindowRequest request{.fastest_call_ns = 1e9, .set_bytes = 4096, .tensors = 2, .free_bytes = 1e9};
  CellSpec spec;
  spec.calls = 7;
  EXPECT_EQ(calls_per_window(spec, request), 7);
}

}  // namespace
}  // namespace aisp::harness
