// SPDX-License-Identifier: Apache-2.0
/// \file
/// NVML, the driver's library of sensors, found at run time. Its header is no part of the toolkit here, so
/// the few functions that are used are declared as the library's documentation describes them.
#pragma once

#include <cstdint>
#include <string>

namespace aisp::cuda {

namespace nvml {

using Device = struct NvmlDevice*;
using Result = int;

constexpr Result kSuccess = 0;
constexpr Result kInsufficientSize = 7;

// Of nvmlClockType_t, nvmlTemperatureSensors_t, nvmlMemoryErrorType_t and nvmlEccCounterType_t.
constexpr int kClockSm = 1, kClockMemory = 2;
constexpr int kTemperatureGpu = 0;
constexpr int kCorrected = 0, kUncorrected = 1;
constexpr int kSinceDriverLoad = 0;

struct Utilisation {
  unsigned gpu = 0;
  unsigned memory = 0;
};

struct Memory {
  unsigned long long total = 0, free = 0, used = 0;
};

/// nvmlFieldValue_t, less the kinds of value that are not asked for.
struct Field {
  unsigned id = 0;
  unsigned scope = 0;
  long long at_us = 0, took_us = 0;
  int type = 0;
  Result result = 0;
  union {
    unsigned number = 0;  ///< where type is kUnsigned
    unsigned long long widest;
  };
};
constexpr unsigned kPowerNow = 186;  ///< milliwatts, not averaged
constexpr int kUnsigned = 1;

/// nvmlProcessInfo_v2_t, which the functions of version 3 fill.
struct Process {
  unsigned pid = 0;
  unsigned long long bytes = 0;
  unsigned gpu_instance = 0, compute_instance = 0;
};
constexpr unsigned long long kBytesUnknown = ~0ull;

}  // namespace nvml

/// Members that an older driver does not have are null.
struct NvmlLibrary {
  /// Looked for once, on the first call.
  static const NvmlLibrary& instance();

  std::string reason;  ///< why it cannot be used; empty: it can
  std::string where;

  std::string words(nvml::Result result) const;

  template <class... Arguments>
  using Function = nvml::Result(Arguments...);
  template <class Value>
  using Reading = Function<nvml::Device, Value*>;

  Function<>* init = nullptr;
  Function<>* shutdown = nullptr;
  const char* (*error_string)(nvml::Result) = nullptr;
  Function<char*, unsigned>* driver_version = nullptr;
  Function<const char*, nvml::Device*>* device_by_pci_bus_id = nullptr;

  Function<nvml::Device, char*, unsigned>* name = nullptr;
  Function<nvml::Device, int, unsigned*>* clock = nullptr;
  Function<nvml::Device, int, unsigned*>* highest_clock = nullptr;
  Function<nvml::Device, int, unsigned*>* temperature = nullptr;
  Reading<unsigned>* power_milliwatts = nullptr;
  Reading<unsigned>* power_limit_milliwatts = nullptr;
  Function<nvml::Device, int, nvml::Field*>* fields = nullptr;
  Reading<unsigned long long>* energy_millijoules = nullptr;
  Reading<unsigned long long>* throttle_reasons = nullptr;
  Reading<nvml::Utilisation>* utilisation = nullptr;
  Reading<nvml::Memory>* memory = nullptr;
  Function<nvml::Device, int*, int*>* ecc_mode = nullptr;
  Function<nvml::Device, int, int, unsigned long long*>* ecc_errors = nullptr;
  Function<nvml::Device, unsigned*, nvml::Process*>* compute_processes = nullptr;
  Function<nvml::Device, unsigned*, nvml::Process*>* mps_processes = nullptr;
  Reading<unsigned>* pcie_generation = nullptr;
  Reading<unsigned>* pcie_lanes = nullptr;
  Reading<int>* persistence_mode = nullptr;
  Reading<int>* compute_mode = nullptr;
  Function<nvml::Device, unsigned*, unsigned*>* mig_mode = nullptr;
};

}  // namespace aisp::cuda
