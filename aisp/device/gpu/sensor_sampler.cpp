// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/gpu/sensor_sampler.h"

#include <algorithm>
#include <utility>

namespace aisp::device {
namespace {

using std::chrono::steady_clock;

std::optional<Spread> spread(const std::vector<SensorSample>& samples,
                             std::optional<double> SensorSample::* sensor) {
  std::vector<double> values;
  for (const SensorSample& sample : samples) {
    if (const auto& value = sample.*sensor) values.push_back(*value);
  }
  if (values.empty()) return std::nullopt;
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  const double median = values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
  return Spread{.lowest = values.front(), .median = median, .highest = values.back()};
}

}  // namespace

SensorSeries summarise(std::vector<SensorSample> samples) {
  SensorSeries series;
  series.sm_mhz = spread(samples, &SensorSample::sm_mhz);
  series.memory_mhz = spread(samples, &SensorSample::memory_mhz);
  series.watts = spread(samples, &SensorSample::watts);
  series.celsius = spread(samples, &SensorSample::celsius);
  for (const SensorSample& sample : samples) {
    if (!sample.throttling) continue;
    auto& all = series.throttling ? *series.throttling : series.throttling.emplace();
    for (const std::string& reason : *sample.throttling) {
      if (std::ranges::find(all, reason) == all.end()) all.push_back(reason);
    }
  }
  series.samples = std::move(samples);
  return series;
}

SensorSampler::SensorSampler(SensorReader& reader, std::chrono::nanoseconds period)
    : reader_(reader), period_(period) {}

SensorSampler::~SensorSampler() { stop(); }

void SensorSampler::start() {
  stop();
  thread_ = std::jthread([this](std::stop_token stopped) { sample_until_stopped(std::move(stopped)); });
}

SensorSeries SensorSampler::stop() {
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
  return summarise(std::exchange(samples_, {}));
}

void SensorSampler::sample_until_stopped(std::stop_token stopped) {
  const auto begun = steady_clock::now();
  auto next = begun;
  while (!stopped.stop_requested()) {
    const auto at = steady_clock::now();
    SensorSample sample = reader_.sample();
    sample.at_ns = std::chrono::duration<double, std::nano>(at - begun).count();
    samples_.push_back(std::move(sample));
    // Moments that were missed are left out, not caught up with.
    next = std::max(next + period_, steady_clock::now());
    std::unique_lock lock(asleep_);
    wake_.wait_until(lock, stopped, next, [] { return false; });
  }
}

}  // namespace aisp::device
