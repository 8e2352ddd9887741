// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads a device's sensors at a fixed period, on a thread of its own, while something else runs.
///
///   SensorSampler sampler(reader, 10ms);
///   sampler.start();
///   work();
///   SensorSeries series = sampler.stop();
///   if (series.sm_mhz) ...   // lowest, median, highest
///
/// A reading takes the driver some tens of microseconds on that thread: sample beside what is watched, not
/// beside what is timed to the microsecond.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "aisp/device/gpu/sensors.h"

namespace aisp::device {

struct Spread {
  double lowest = 0;
  double median = 0;
  double highest = 0;
};

struct SensorSeries {
  std::vector<SensorSample> samples;
  std::optional<Spread> sm_mhz;  ///< absent when no sample has it
  std::optional<Spread> memory_mhz;
  std::optional<Spread> watts;
  std::optional<Spread> celsius;
  std::optional<std::vector<std::string>> throttling;  ///< all that any sample named
};

/// Lowest, median and highest of what was sampled.
SensorSeries summarise(std::vector<SensorSample> samples);

class SensorSampler {
 public:
  SensorSampler(SensorReader& reader, std::chrono::nanoseconds period);
  ~SensorSampler();
  SensorSampler(const SensorSampler&) = delete;
  SensorSampler& operator=(const SensorSampler&) = delete;

  /// The first sample is taken at once. The reader belongs to the sampler until it stops.
  void start();
  SensorSeries stop();

 private:
  void sample_until_stopped(std::stop_token stopped);

  SensorReader& reader_;
  std::chrono::nanoseconds period_;
  std::vector<SensorSample> samples_;  ///< of the thread while it runs
  std::mutex asleep_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

}  // namespace aisp::device
