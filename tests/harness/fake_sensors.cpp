// SPDX-License-Identifier: Apache-2.0
#include "fake_sensors.h"

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

#include "aisp/device/clock.h"
#include "fake_gpu.h"

namespace aisp::harness {
namespace {

/// By a test, which knows them: `AISP_TEST_GPU_PROCESSES="17 4711"`.
std::vector<std::uint32_t> told_processes() {
  const char* text = std::getenv("AISP_TEST_GPU_PROCESSES");
  std::istringstream told(text == nullptr ? "" : text);
  std::vector<std::uint32_t> pids;
  for (std::uint32_t pid = 0; told >> pid;) pids.push_back(pid);
  return pids;
}

std::string program_of(const std::string& process) {
  std::error_code failed;
  return std::filesystem::read_symlink("/proc/" + process + "/exe", failed).string();
}

/// Attempts of the same run: they have the device open, too.
std::vector<std::uint32_t> workers_beside() {
  const std::string parent = std::to_string(getppid());
  std::ifstream children("/proc/" + parent + "/task/" + parent + "/children");
  std::vector<std::uint32_t> pids;
  for (std::uint32_t pid = 0; children >> pid;) {
    if (pid != static_cast<std::uint32_t>(getpid()) && program_of(std::to_string(pid)) == program_of("self"))
      pids.push_back(pid);
  }
  return pids;
}

std::atomic<double> clock_mhz = 0;

}  // namespace

void fake_clock(double mhz) { clock_mhz = mhz; }

std::optional<std::string> FakeSensors::unavailable() const {
  const std::string& reason = fake_faults().no_sensors;
  return reason.empty() ? std::nullopt : std::optional(reason);
}

device::Sensors FakeSensors::read() {
  const FakeFaults& faults = fake_faults();
  device::Sensors now;
  ++readings_;
  now.ecc = faults.ecc;
  if (faults.ecc.value_or(false)) {
    now.ecc_corrected = faults.ecc_corrected;
    now.ecc_uncorrected = faults.ecc_uncorrected;
  }
  const bool left = faults.others_leave_after > 0 && readings_ > faults.others_leave_after;
  const int others = left ? 0 : faults.other_processes;
  now.processes.emplace();
  if (!faults.unlisted) now.processes->push_back({.pid = static_cast<std::uint32_t>(getpid())});
  if (others > 0) now.processes->push_back({.pid = 1});
  for (const std::uint32_t pid : workers_beside()) now.processes->push_back({.pid = pid});
  for (const std::uint32_t pid : told_processes()) now.processes->push_back({.pid = pid});
  if (others > 1) now.mps_processes.emplace(1, device::GpuProcess{.pid = 2});
  return now;
}

device::SensorSample FakeSensors::sample() {
  device::SensorSample now;
  const double set = clock_mhz;
  now.sm_mhz = set > 0 ? set : fake_faults().sm_mhz;
  now.memory_mhz = fake_faults().memory_mhz;
  now.watts = fake_faults().watts_now;
  now.celsius = fake_faults().celsius;
  now.throttling.emplace();
  if (!fake_faults().throttling.empty()) now.throttling->push_back(fake_faults().throttling);
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
