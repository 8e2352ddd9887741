// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/sensor_reader.h"

#include <cuda_runtime_api.h>

#include <array>

#include "aisp/device/cuda/sensor_words.h"

namespace aisp::cuda {
namespace {

using device::GpuProcess;

constexpr double kMilli = 1e-3;
constexpr double kPercent = 1e-2;

/// What the function puts into its last argument; nothing where it is missing or refuses.
template <class Value, class... Parameters, class... Arguments>
std::optional<Value> ask(nvml::Result (*function)(Parameters...), Arguments... arguments) {
  Value value{};
  if (function == nullptr || function(arguments..., &value) != nvml::kSuccess) return std::nullopt;
  return value;
}

template <class Value>
std::optional<double> scaled(std::optional<Value> value, double scale) {
  if (!value) return std::nullopt;
  return static_cast<double>(*value) * scale;
}

/// Texts come in a buffer of which only the size is passed.
template <class... Parameters, class... Arguments>
std::optional<std::string> ask_text(nvml::Result (*function)(Parameters...), Arguments... arguments) {
  std::array<char, 96> text{};
  if (function == nullptr ||
      function(arguments..., text.data(), static_cast<unsigned>(text.size())) != nvml::kSuccess)
    return std::nullopt;
  return text.data();
}

std::optional<std::vector<GpuProcess>> processes(
    NvmlLibrary::Function<nvml::Device, unsigned*, nvml::Process*>* list, nvml::Device device) {
  if (list == nullptr) return std::nullopt;
  std::vector<nvml::Process> found(16);
  auto count = static_cast<unsigned>(found.size());
  nvml::Result result = list(device, &count, found.data());
  // More may start between two questions.
  while (result == nvml::kInsufficientSize) {
    found.resize(count + 16);
    count = static_cast<unsigned>(found.size());
    result = list(device, &count, found.data());
  }
  if (result != nvml::kSuccess) return std::nullopt;
  std::vector<GpuProcess> all;
  for (unsigned i = 0; i < count; ++i) {
    GpuProcess process{.pid = found[i].pid, .bytes = std::nullopt};
    if (found[i].bytes != nvml::kBytesUnknown) process.bytes = found[i].bytes;
    all.push_back(process);
  }
  return all;
}

/// Of this moment where the device tells: on Hopper the plain reading is an average of the last second.
std::optional<unsigned> power_milliwatts(const NvmlLibrary& nvml, nvml::Device device) {
  nvml::Field power;
  power.id = nvml::kPowerNow;
  if (nvml.fields != nullptr && nvml.fields(device, 1, &power) == nvml::kSuccess &&
      power.result == nvml::kSuccess && power.type == nvml::kUnsigned)
    return power.number;
  return ask<unsigned>(nvml.power_milliwatts, device);
}

}  // namespace

NvmlSensors::NvmlSensors(int device) {
  if (!nvml_.reason.empty()) {
    why_not_ = nvml_.reason;
    return;
  }
  std::array<char, 32> bus{};
  if (const cudaError_t error = cudaDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()), device);
      error != cudaSuccess) {
    why_not_ = std::string("asking for the device's place on the bus: ") + cudaGetErrorString(error);
    return;
  }
  nvml::Result result = nvml_.init();
  opened_ = result == nvml::kSuccess;
  if (opened_) result = nvml_.device_by_pci_bus_id(bus.data(), &device_);
  if (result != nvml::kSuccess)
    why_not_ = "NVML, device " + std::string(bus.data()) + ": " + nvml_.words(result);
}

NvmlSensors::~NvmlSensors() {
  if (opened_) static_cast<void>(nvml_.shutdown());
}

device::SensorSample NvmlSensors::sample() {
  device::SensorSample sample;
  if (why_not_) return sample;
  sample.sm_mhz = scaled(ask<unsigned>(nvml_.clock, device_, nvml::kClockSm), 1);
  sample.memory_mhz = scaled(ask<unsigned>(nvml_.clock, device_, nvml::kClockMemory), 1);
  sample.watts = scaled(power_milliwatts(nvml_, device_), kMilli);
  sample.celsius = scaled(ask<unsigned>(nvml_.temperature, device_, nvml::kTemperatureGpu), 1);
  if (const auto reasons = ask<unsigned long long>(nvml_.throttle_reasons, device_))
    sample.throttling = throttle_words(*reasons);
  return sample;
}

std::optional<double> NvmlSensors::joules() {
  if (why_not_) return std::nullopt;
  return scaled(ask<unsigned long long>(nvml_.energy_millijoules, device_), kMilli);
}

std::optional<double> NvmlSensors::watt_limit() {
  if (why_not_) return std::nullopt;
  return scaled(ask<unsigned>(nvml_.power_limit_milliwatts, device_), kMilli);
}

device::Sensors NvmlSensors::read() {
  device::Sensors sensors;
  if (why_not_) return sensors;
  sensors.now = sample();
  sensors.highest_sm_mhz = scaled(ask<unsigned>(nvml_.highest_clock, device_, nvml::kClockSm), 1);
  sensors.highest_memory_mhz = scaled(ask<unsigned>(nvml_.highest_clock, device_, nvml::kClockMemory), 1);
  sensors.watt_limit = watt_limit();
  sensors.joules = joules();
  if (const auto used = ask<nvml::Utilisation>(nvml_.utilisation, device_)) {
    sensors.busy = used->gpu * kPercent;
    sensors.memory_busy = used->memory * kPercent;
  }
  if (const auto memory = ask<nvml::Memory>(nvml_.memory, device_)) sensors.memory_used_bytes = memory->used;
  int current = 0, pending = 0;
  if (nvml_.ecc_mode != nullptr && nvml_.ecc_mode(device_, &current, &pending) == nvml::kSuccess)
    sensors.ecc = current != 0;
  sensors.ecc_corrected =
      ask<unsigned long long>(nvml_.ecc_errors, device_, nvml::kCorrected, nvml::kSinceDriverLoad);
  sensors.ecc_uncorrected =
      ask<unsigned long long>(nvml_.ecc_errors, device_, nvml::kUncorrected, nvml::kSinceDriverLoad);
  sensors.processes = processes(nvml_.compute_processes, device_);
  sensors.mps_processes = processes(nvml_.mps_processes, device_);
  sensors.pcie_generation = ask<unsigned>(nvml_.pcie_generation, device_);
  sensors.pcie_lanes = ask<unsigned>(nvml_.pcie_lanes, device_);
  if (const auto mode = ask<int>(nvml_.persistence_mode, device_)) sensors.persistence = *mode != 0;
  unsigned partitioned = 0, partitioned_next = 0;
  if (nvml_.mig_mode != nullptr && nvml_.mig_mode(device_, &partitioned, &partitioned_next) == nvml::kSuccess)
    sensors.partitioned = partitioned != 0;
  sensors.compute_mode = compute_mode_word(ask<int>(nvml_.compute_mode, device_));
  sensors.driver = ask_text(nvml_.driver_version);
  sensors.name = ask_text(nvml_.name, device_).value_or("");
  return sensors;
}

}  // namespace aisp::cuda
