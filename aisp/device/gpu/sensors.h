// SPDX-License-Identifier: Apache-2.0
/// \file
/// The state of a device while it works: clocks, power, heat, what holds it back, who else uses it. Every
/// fact is optional: a device or its driver may not tell.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace aisp::device {

struct GpuProcess {
  std::uint32_t pid = 0;
  std::optional<std::uint64_t> bytes;  ///< of device memory
};

/// What changes from one moment to the next, cheap enough to be read a hundred times a second.
struct SensorSample {
  double at_ns = 0;  ///< since sampling began; 0 in a single reading
  std::optional<double> sm_mhz;
  std::optional<double> memory_mhz;
  std::optional<double> watts;
  std::optional<double> celsius;
  std::optional<std::vector<std::string>> throttling;  ///< what holds the clocks back; empty: nothing
};

struct Sensors {
  SensorSample now;
  std::optional<double> highest_sm_mhz;
  std::optional<double> highest_memory_mhz;
  std::optional<double> watt_limit;
  std::optional<double> joules;                    ///< since the driver was loaded
  std::optional<double> busy;                      ///< 0 to 1, of the driver's latest period
  std::optional<double> memory_busy;               ///< the same, of the memory's interface
  std::optional<std::uint64_t> memory_used_bytes;  ///< by all processes, and by the driver
  std::optional<bool> ecc;
  std::optional<std::uint64_t> ecc_corrected;  ///< since the driver was loaded
  std::optional<std::uint64_t> ecc_uncorrected;
  std::optional<std::vector<GpuProcess>> processes;      ///< that compute on the device, this one too
  std::optional<std::vector<GpuProcess>> mps_processes;  ///< that do so through a shared server
  std::optional<unsigned> pcie_generation;
  std::optional<unsigned> pcie_lanes;
  std::optional<bool> persistence;
  std::optional<bool> partitioned;  ///< into instances (MIG)
  std::optional<std::string> compute_mode;
  std::optional<std::string> driver;
  std::string name;
};

class SensorReader {
 public:
  virtual ~SensorReader() = default;

  /// Why nothing can be read, or nothing.
  virtual std::optional<std::string> unavailable() const = 0;
  virtual Sensors read() = 0;
  virtual SensorSample sample() = 0;
  /// Since the driver was loaded; nothing where the device does not count its energy.
  virtual std::optional<double> joules() { return std::nullopt; }
  /// What counts it: "NVML total energy".
  virtual std::string energy_counter() const { return ""; }
  /// That is enforced now; nothing where the device does not tell.
  virtual std::optional<double> watt_limit() { return std::nullopt; }
};

}  // namespace aisp::device
