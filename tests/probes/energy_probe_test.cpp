// SPDX-License-Identifier: Apache-2.0
#include "aisp/probes/energy_probe.h"

#include <gtest/gtest.h>

#include <cmath>

#include "aisp/device/clock.h"

namespace aisp::probes {
namespace {

constexpr double kWatts = 250;
constexpr double kStepNs = 10e6;

double now_ns() { return device::Clock::instance().now_ns(); }

/// A counter that moves every ten milliseconds.
std::optional<double> stepping() { return kWatts * std::floor(now_ns() / kStepNs) * kStepNs * 1e-9; }

void wait_for(const EnergyProbe& probe, int steps, double patience_ns) {
  for (const double end = now_ns() + patience_ns; probe.steps() < steps && now_ns() < end;)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST(EnergyProbe, FindsThePowerBehindACounterOfSteps) {
  EnergyProbe probe(stepping);
  wait_for(probe, 21, 20e9);
  const auto power = probe.stop();
  ASSERT_TRUE(power);
  EXPECT_GT(power->uncertainty, 0);
  // A thread that was not woken in time says so; the figure is as good as it says.
  EXPECT_NEAR(power->watts, kWatts, kWatts * (power->uncertainty + 0.01));
}

TEST(EnergyProbe, KnowsNothingWhereNothingMovesOrCounts) {
  EnergyProbe still([] { return std::optional(42.0); });
  EnergyProbe none([] { return std::optional<double>(); });
  wait_for(still, 1, 50e6);
  EXPECT_FALSE(still.stop());
  EXPECT_FALSE(none.stop());
}

TEST(EnergyProbe, KnowsNothingOfACounterThatBeganAnew) {
  EnergyProbe probe([begin = now_ns()] { return std::optional(1e6 - (now_ns() - begin) * 1e-9); });
  wait_for(probe, 3, 20e9);
  EXPECT_FALSE(probe.stop());
}

}  // namespace
}  // namespace aisp::probes
