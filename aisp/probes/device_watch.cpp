// SPDX-License-Identifier: Apache-2.0
#include "aisp/probes/device_watch.h"

#include <algorithm>

namespace aisp::probes {

void DeviceWatch::look(device::SensorReader& sensors) {
  if (sensors.unavailable()) return;
  power_limit_.look(sensors.watt_limit());
  const device::SensorSample now = sensors.sample();
  if (now.sm_mhz) core_mhz_.push_back(*now.sm_mhz);
  if (!now.throttling) return;
  throttling_known_ = true;
  throttling_.insert(now.throttling->begin(), now.throttling->end());
}

void DeviceWatch::record(Evidence& all) const {
  // The limit of what ran the calls, not of the CPU that launched them.
  all.environment.lowest_power_limit_w = power_limit_.lowest_w();
  all.environment.highest_power_limit_w = power_limit_.highest_w();
  DeviceEvidence& evidence = all.accelerator;
  if (!core_mhz_.empty()) {
    std::vector<double> sorted = core_mhz_;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::ranges::nth_element(sorted, middle);
    evidence.core_mhz = *middle;
  }
  if (!throttling_known_) return;
  std::string reasons;
  for (const std::string& reason : throttling_) reasons += (reasons.empty() ? "" : ", ") + reason;
  evidence.throttle_reasons = reasons;
}

void record_neighbours(device::SensorReader& sensors, int own_processes, DeviceEvidence& evidence) {
  if (sensors.unavailable()) return;
  const auto processes = sensors.read().processes;
  if (!processes) return;
  const auto count = static_cast<std::int64_t>(processes->size());
  evidence.foreign_processes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, count - own_processes));
}

}  // namespace aisp::probes
