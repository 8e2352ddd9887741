// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads a device's sensors through NVML. The device is found by its place on the bus: NVML counts devices in
/// another order than CUDA, and does not know of CUDA_VISIBLE_DEVICES. Reads only; it changes no setting.
#pragma once

#include <optional>
#include <string>

#include "aisp/device/cuda/nvml.h"
#include "aisp/device/gpu/sensors.h"

namespace aisp::cuda {

class NvmlSensors final : public device::SensorReader {
 public:
  /// For a device as CUDA counts them. Never throws: unavailable() says why it cannot read.
  explicit NvmlSensors(int device);
  ~NvmlSensors() override;
  NvmlSensors(const NvmlSensors&) = delete;
  NvmlSensors& operator=(const NvmlSensors&) = delete;

  std::optional<std::string> unavailable() const override { return why_not_; }
  device::Sensors read() override;
  device::SensorSample sample() override;
  std::optional<double> joules() override;
  std::optional<double> watt_limit() override;
  std::string energy_counter() const override { return "NVML total energy"; }

 private:
  const NvmlLibrary& nvml_ = NvmlLibrary::instance();
  nvml::Device device_ = nullptr;
  bool opened_ = false;
  std::optional<std::string> why_not_;
};

}  // namespace aisp::cuda
