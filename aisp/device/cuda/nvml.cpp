// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/nvml.h"

#include "aisp/device/cuda/shared_library.h"

namespace aisp::cuda {
namespace {

NvmlLibrary load() {
  NvmlLibrary nvml;
  const SharedLibrary library({"libnvidia-ml.so.1"});
  if (!library.found()) {
    nvml.reason = "NVML: " + library.reason();
    return nvml;
  }
  nvml.where = library.where();
  const auto bind = [&]<class Function>(Function*& member, const char* name) {
    member = library.function<Function>(name);
  };
  bind(nvml.init, "nvmlInit_v2");
  bind(nvml.shutdown, "nvmlShutdown");
  bind(nvml.error_string, "nvmlErrorString");
  bind(nvml.driver_version, "nvmlSystemGetDriverVersion");
  bind(nvml.device_by_pci_bus_id, "nvmlDeviceGetHandleByPciBusId_v2");
  bind(nvml.name, "nvmlDeviceGetName");
  bind(nvml.clock, "nvmlDeviceGetClockInfo");
  bind(nvml.highest_clock, "nvmlDeviceGetMaxClockInfo");
  bind(nvml.temperature, "nvmlDeviceGetTemperature");
  bind(nvml.power_milliwatts, "nvmlDeviceGetPowerUsage");
  bind(nvml.power_limit_milliwatts, "nvmlDeviceGetEnforcedPowerLimit");
  bind(nvml.fields, "nvmlDeviceGetFieldValues");
  bind(nvml.energy_millijoules, "nvmlDeviceGetTotalEnergyConsumption");
  bind(nvml.throttle_reasons, "nvmlDeviceGetCurrentClocksEventReasons");
  // Its name before drivers of version 535.
  if (nvml.throttle_reasons == nullptr)
    bind(nvml.throttle_reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
  bind(nvml.utilisation, "nvmlDeviceGetUtilizationRates");
  bind(nvml.memory, "nvmlDeviceGetMemoryInfo");
  bind(nvml.ecc_mode, "nvmlDeviceGetEccMode");
  bind(nvml.ecc_errors, "nvmlDeviceGetTotalEccErrors");
  bind(nvml.compute_processes, "nvmlDeviceGetComputeRunningProcesses_v3");
  bind(nvml.mps_processes, "nvmlDeviceGetMPSComputeRunningProcesses_v3");
  bind(nvml.pcie_generation, "nvmlDeviceGetCurrPcieLinkGeneration");
  bind(nvml.pcie_lanes, "nvmlDeviceGetCurrPcieLinkWidth");
  bind(nvml.persistence_mode, "nvmlDeviceGetPersistenceMode");
  bind(nvml.compute_mode, "nvmlDeviceGetComputeMode");
  bind(nvml.mig_mode, "nvmlDeviceGetMigMode");
  if (nvml.init == nullptr || nvml.shutdown == nullptr || nvml.device_by_pci_bus_id == nullptr)
    nvml.reason = "NVML: " + nvml.where + " is too old";
  return nvml;
}

}  // namespace

const NvmlLibrary& NvmlLibrary::instance() {
  static const NvmlLibrary loaded = load();
  return loaded;
}

std::string NvmlLibrary::words(nvml::Result result) const {
  const char* text = error_string != nullptr ? error_string(result) : nullptr;
  return text != nullptr ? text : "NVML result " + std::to_string(result);
}

}  // namespace aisp::cuda
