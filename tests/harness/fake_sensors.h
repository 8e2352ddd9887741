// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sensors of the GPU that is made of threads: what NVML says of a device.
#pragma once

#include "aisp/device/gpu/sensors.h"

namespace aisp::harness {

class FakeSensors : public device::SensorReader {
 public:
  std::optional<std::string> unavailable() const override;
  device::Sensors read() override;
  device::SensorSample sample() override;
  std::optional<double> joules() override;
  std::string energy_counter() const override { return "steps"; }
  std::optional<double> watt_limit() override;

 private:
  int readings_ = 0;  ///< full ones
};

/// From now on, whatever the faults say; 0: as they say. May be called by a kernel.
void fake_clock(double mhz);

}  // namespace aisp::harness
