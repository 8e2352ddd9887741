// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/clock.h"

#include <gtest/gtest.h>
#include <time.h>

#include <cmath>

namespace aisp::device {
namespace {

void sleep_ms(long ms) {
  const timespec pause{0, ms * 1'000'000};
  nanosleep(&pause, nullptr);
}

TEST(Clock, never_goes_back) {
  const Clock& clock = Clock::instance();
  double last = clock.now_ns();
  for (int i = 0; i < 200'000; ++i) {
    const double now = clock.now_ns();
    ASSERT_GE(now, last);
    last = now;
  }
}

TEST(Clock, agrees_with_the_kernels_clock) {
  const Clock& clock = Clock::instance();
  const ClockSnapshot start = clock.snapshot();
  sleep_ms(100);
  const auto apart = clock.disagreement_ppm(start);
  ASSERT_TRUE(apart.has_value());
  EXPECT_LT(*apart, 200);
}

TEST(Clock, an_interval_too_short_to_compare_says_nothing) {
  const Clock& clock = Clock::instance();
  EXPECT_FALSE(clock.disagreement_ppm(clock.snapshot()).has_value());
}

TEST(Clock, a_clock_that_runs_fast_is_seen) {
  const Clock& clock = Clock::instance();
  ClockSnapshot start = clock.snapshot();
  sleep_ms(20);
  start.own_ns -= 0.001 * 20e6;  // as if 20 ms had been counted as 20.02 ms
  const auto apart = clock.disagreement_ppm(start);
  ASSERT_TRUE(apart.has_value());
  EXPECT_GT(*apart, 400);
}

TEST(Clock, a_suspension_is_seen) {
  const Clock& clock = Clock::instance();
  ClockSnapshot start = clock.snapshot();
  sleep_ms(20);
  start.boottime_ns -= 5'000'000'000;  // the boot-time clock ran on for five seconds more
  const auto apart = clock.disagreement_ppm(start);
  ASSERT_TRUE(apart.has_value());
  EXPECT_GT(*apart, 1e6);
}

TEST(Clock, knows_its_own_cost_and_resolution) {
  const Clock& clock = Clock::instance();
  EXPECT_GT(clock.cost_ns(), 0);
  EXPECT_GT(clock.resolution_ns(), 0);
  EXPECT_LE(clock.resolution_ns(), clock.cost_ns() * 1.001);
  EXPECT_FALSE(clock.source().empty());
}

}  // namespace
}  // namespace aisp::device
