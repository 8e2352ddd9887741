// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/gpu/sensor_sampler.h"

#include <gtest/gtest.h>

#include <atomic>

namespace aisp::device {
namespace {

using namespace std::chrono_literals;

TEST(SensorSeries, SummarisesWhatWasReadAndNothingElse) {
  SensorSample a, b, c;
  a.sm_mhz = 1980, b.sm_mhz = 1200, c.sm_mhz = 1500;
  b.watts = 300;
  a.throttling.emplace();
  b.throttling = {"power", "heat"};
  c.throttling = {"heat"};
  const SensorSeries series = summarise({a, b, c});
  ASSERT_TRUE(series.sm_mhz);
  EXPECT_EQ(series.sm_mhz->lowest, 1200);
  EXPECT_EQ(series.sm_mhz->median, 1500);
  EXPECT_EQ(series.sm_mhz->highest, 1980);
  ASSERT_TRUE(series.watts);
  EXPECT_EQ(series.watts->median, 300) << "of the one sample that has it";
  EXPECT_FALSE(series.celsius) << "unknown, not zero";
  ASSERT_TRUE(series.throttling);
  EXPECT_EQ(*series.throttling, (std::vector<std::string>{"power", "heat"}));
  EXPECT_EQ(series.samples.size(), 3u);
}

TEST(SensorSeries, NothingThrottledIsNotUnknown) {
  SensorSample asked;
  asked.throttling.emplace();
  EXPECT_TRUE(summarise({asked}).throttling);
  EXPECT_FALSE(summarise({SensorSample{}}).throttling);
}

/// Counts how often it is asked.
class CountingReader : public SensorReader {
 public:
  std::optional<std::string> unavailable() const override { return std::nullopt; }
  Sensors read() override { return {}; }
  SensorSample sample() override {
    SensorSample sample;
    sample.watts = ++asked;
    return sample;
  }
  std::atomic<int> asked = 0;
};

TEST(SensorSampler, SamplesFromTheStartUntilItIsStopped) {
  CountingReader reader;
  SensorSampler sampler(reader, 1ms);
  sampler.start();
  while (reader.asked < 3) std::this_thread::sleep_for(100us);
  const SensorSeries series = sampler.stop();
  EXPECT_EQ(series.samples.size(), static_cast<std::size_t>(reader.asked));
  for (std::size_t i = 1; i < series.samples.size(); ++i)
    EXPECT_GE(series.samples[i].at_ns, series.samples[i - 1].at_ns);
  const int asked = reader.asked;
  std::this_thread::sleep_for(5ms);
  EXPECT_EQ(reader.asked, asked) << "nobody asks any more";
}

TEST(SensorSampler, ALongPeriodDoesNotDelayItsEnd) {
  CountingReader reader;
  const auto begun = std::chrono::steady_clock::now();
  {
    SensorSampler sampler(reader, 1h);
    sampler.start();
    while (reader.asked < 1) std::this_thread::sleep_for(100us);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 30min);
}

}  // namespace
}  // namespace aisp::device
