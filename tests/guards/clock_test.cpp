// SPDX-License-Identifier: Apache-2.0
// Guards over the clock: timer_resolves, clocks_agree.
#include <gtest/gtest.h>

#include <cmath>

#include "good_evidence.h"

namespace aisp::guards {
namespace {

TEST(TimerResolves, WindowOfAThousandSteps) {
  Evidence evidence = good_evidence();
  evidence.timing.shortest_window_ns = 1000 * evidence.timing.clock_resolution_ns;
  EXPECT_EQ(level("timer_resolves", evidence), Level::pass);
  evidence.timing.shortest_window_ns = std::nextafter(evidence.timing.shortest_window_ns, 0.0);
  EXPECT_EQ(level("timer_resolves", evidence), Level::reject);
}

TEST(TimerResolves, WindowOfTwentyReadings) {
  Evidence evidence = good_evidence();
  evidence.timing.clock_resolution_ns = 1;  // a fine clock that is slow to read, as under some hypervisors
  evidence.timing.clock_cost_ns = 1000;
  evidence.timing.shortest_window_ns = 20'000;
  EXPECT_EQ(level("timer_resolves", evidence), Level::pass);
  evidence.timing.shortest_window_ns = 19'999;
  EXPECT_EQ(level("timer_resolves", evidence), Level::reject);
}

TEST(TimerResolves, AZeroOrNaNWindowIsRejected) {
  Evidence evidence = good_evidence();
  for (const double window : {0.0, -1.0, kNaN}) {
    evidence.timing.shortest_window_ns = window;
    EXPECT_EQ(level("timer_resolves", evidence), Level::reject) << window;
  }
  evidence = good_evidence();
  evidence.timing.clock_resolution_ns = kNaN;
  EXPECT_EQ(level("timer_resolves", evidence), Level::reject);
  evidence = good_evidence();
  evidence.timing.clock_cost_ns = kNaN;
  EXPECT_EQ(level("timer_resolves", evidence), Level::reject);
}

TEST(TimerResolves, AnUncalibratedClockIsUnknown) {
  Evidence evidence = good_evidence();
  evidence.timing.clock_resolution_ns = 0;
  EXPECT_EQ(level("timer_resolves", evidence), Level::unknown);
  evidence = good_evidence();
  evidence.timing.clock_cost_ns = 0;
  EXPECT_EQ(level("timer_resolves", evidence), Level::unknown);
  evidence = good_evidence();
  evidence.answers.calls = 0;
  EXPECT_EQ(level("timer_resolves", evidence), Level::unknown);
}

TEST(ClocksAgree, SlewIsNotedAndAStepRejected) {
  Evidence evidence = good_evidence();
  const auto at = [&](std::optional<double> ppm) {
    evidence.timing.clock_disagreement_ppm = ppm;
    return level("clocks_agree", evidence);
  };
  EXPECT_EQ(at(100), Level::pass);
  EXPECT_EQ(at(-100), Level::pass);
  EXPECT_EQ(at(101), Level::note);
  EXPECT_EQ(at(500), Level::note);
  EXPECT_EQ(at(501), Level::reject);
  EXPECT_EQ(at(-501), Level::reject);
  EXPECT_EQ(at(kNaN), Level::reject);
  EXPECT_EQ(at(std::nullopt), Level::unknown);
}

// Events cost the window nothing, and a cold call cannot be batched.
TEST(TimerResolves, AHundredStepsOfAGpusEventsAreEnough) {
  Evidence e = good_gpu_evidence();
  e.timing = {.clock_resolution_ns = 32, .shortest_window_ns = 3200};
  EXPECT_EQ(level("timer_resolves", e), Level::pass);
  e.timing.shortest_window_ns = 3199;
  EXPECT_EQ(level("timer_resolves", e), Level::reject);
  e.timing.clock_resolution_ns = 0;
  EXPECT_EQ(level("timer_resolves", e), Level::unknown);
}

}  // namespace
}  // namespace aisp::guards
