// SPDX-License-Identifier: Apache-2.0
// Sensors: everything once, and a series over a second of copying.
#include <cstdio>
#include <vector>

#include "aisp/device/cuda/memory.h"
#include "aisp/device/cuda/sensor_reader.h"
#include "aisp/device/gpu/sensor_sampler.h"
#include "benchmarks/gpu/audit_kernels.cuh"
#include "benchmarks/gpu/audit_parts.h"

namespace aisp::benchmarks {
namespace {

using namespace aisp::cuda;
using device::GpuProcess;
using device::Sensors;
using device::Spread;
using std::chrono::steady_clock;

void print(const char* what, const std::optional<Spread>& spread) {
  if (!spread) return void(std::printf("  %s unknown\n", what));
  std::printf("  %s %.1f / %.1f / %.1f\n", what, spread->lowest, spread->median, spread->highest);
}

std::string joined(const std::optional<std::vector<std::string>>& words) {
  if (!words) return "unknown";
  std::string text;
  for (const std::string& word : *words) text += (text.empty() ? "" : ", ") + word;
  return text.empty() ? "nothing" : text;
}

std::string listed(const std::optional<std::vector<GpuProcess>>& processes) {
  if (!processes) return "unknown";
  std::string text = std::to_string(processes->size());
  for (const GpuProcess& process : *processes)
    text += " [pid " + std::to_string(process.pid) + ", " +
            (process.bytes ? std::to_string(*process.bytes / kMiB) + " MiB]" : "bytes unknown]");
  return text;
}

void print(const Sensors& seen) {
  const auto flag = [](std::optional<bool> on) { return !on ? "unknown" : *on ? "on" : "off"; };
  std::printf("sensors: %s, driver %s\n", seen.name.c_str(), seen.driver.value_or("unknown").c_str());
  std::printf("  SM MHz %s of %s, memory MHz %s of %s\n", shown(seen.now.sm_mhz).c_str(),
              shown(seen.highest_sm_mhz).c_str(), shown(seen.now.memory_mhz).c_str(),
              shown(seen.highest_memory_mhz).c_str());
  std::printf("  watts %s of %s, joules %s, celsius %s, held back by: %s\n", shown(seen.now.watts).c_str(),
              shown(seen.watt_limit).c_str(), shown(seen.joules).c_str(), shown(seen.now.celsius).c_str(),
              joined(seen.now.throttling).c_str());
  std::printf("  busy %s, memory busy %s, memory used bytes %s\n", shown(seen.busy).c_str(),
              shown(seen.memory_busy).c_str(), shown(seen.memory_used_bytes).c_str());
  std::printf("  ECC %s, corrected %s, uncorrected %s\n", flag(seen.ecc), shown(seen.ecc_corrected).c_str(),
              shown(seen.ecc_uncorrected).c_str());
  std::printf("  processes %s; through MPS %s\n", listed(seen.processes).c_str(),
              listed(seen.mps_processes).c_str());
  std::printf("  PCIe generation %s, lanes %s; persistence %s, MIG %s, compute mode %s\n",
              shown(seen.pcie_generation).c_str(), shown(seen.pcie_lanes).c_str(), flag(seen.persistence),
              flag(seen.partitioned), seen.compute_mode.value_or("unknown").c_str());
}

}  // namespace

void report_sensors() {
  NvmlSensors sensors(0);
  if (const auto why_not = sensors.unavailable())
    return void(std::printf("no sensors: %s\n", why_not->c_str()));
  print(sensors.read());
  const auto one = steady_clock::now();
  for (int i = 0; i < 100; ++i) static_cast<void>(sensors.sample());
  std::printf("  a sample takes %.1f us\n", since_ns(one) / 1e5);
  constexpr std::size_t bytes = 1024 * kMiB;
  const auto from = device_memory<uint4>(bytes / sizeof(uint4)),
             to = device_memory<uint4>(bytes / sizeof(uint4));
  device::SensorSampler sampler(sensors, std::chrono::milliseconds(10));
  sampler.start();
  const auto begun = steady_clock::now();
  while (since_ns(begun) < 1e9) {
    copy<<<1056, 512>>>(from.get(), to.get(), bytes / sizeof(uint4));
    wait_for_device();
  }
  const device::SensorSeries series = sampler.stop();
  std::printf("sensors: %zu samples over a second of copying, lowest / median / highest\n",
              series.samples.size());
  print("SM MHz", series.sm_mhz);
  print("memory MHz", series.memory_mhz);
  print("watts", series.watts);
  print("celsius", series.celsius);
  std::printf("  held back by: %s\n  series", joined(series.throttling).c_str());
  for (std::size_t i = 0; i < series.samples.size(); i += 10)
    std::printf(" %.0fms:%.0fMHz:%.0fW", series.samples[i].at_ns / 1e6, series.samples[i].sm_mhz.value_or(0),
                series.samples[i].watts.value_or(0));
  std::printf("\n");
  print(sensors.read());
}

}  // namespace aisp::benchmarks
