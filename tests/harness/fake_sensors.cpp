// SPDX-License-Identifier: Apache-2.0
#include "fake_sensors.h"

#include <cmath>

#include <unistd.h>

#include "aisp/device/clock.h"
#include "fake_gpu.h"

namespace aisp::harness {

device::Sensors FakeSensors::read() {
  const FakeFaults& faults = fake_faults();
  device::Sensors now;
  now.processes.emplace();
  if (!faults.unlisted) now.processes->push_back({.pid = static_cast<std::uint32_t>(getpid())});
  if (faults.other_processes > 0) now.processes->push_back({.pid = 1});
  if (faults.other_processes > 1) now.mps_processes.emplace(1, device::GpuProcess{.pid = 2});
  return now;
}

device::SensorSample FakeSensors::sample() {
  device::SensorSample now;
  now.sm_mhz = fake_faults().slower_clock && ++samples_ % 2 == 0 ? 900 : 1800;
  now.throttling.emplace();
  return now;
}

std::optional<double> FakeSensors::joules() {
  const double watts = fake_faults().watts;
  if (watts == 0) return std::nullopt;
  return watts * std::floor(device::Clock::instance().now_ns() / 20e6) * 20e-3;
}

std::optional<double> FakeSensors::watt_limit() {
  const double limit = fake_faults().watt_limit;
  return limit > 0 ? std::optional(limit) : std::nullopt;
}

}  // namespace aisp::harness
