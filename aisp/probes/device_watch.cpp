// SPDX-License-Identifier: Apache-2.0
#include "aisp/probes/device_watch.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

namespace aisp::probes {
namespace {

std::string program_of(const std::string& process) {
  std::error_code failed;
  return std::filesystem::read_symlink("/proc/" + process + "/exe", failed).string();
}

/// The fourth field of its line, after a name that may hold anything but ends with the last bracket.
int parent_of(std::uint32_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(file, line);
  const std::size_t name = line.rfind(')');
  if (name == std::string::npos) return -1;
  std::istringstream rest(line.substr(name + 1));
  std::string state;
  int parent = -1;
  rest >> state >> parent;
  return parent;
}

/// A worker of this run runs the same program for the same parent. The server of MPS computes for others
/// alone.
bool is_ours(std::uint32_t pid) {
  const std::string program = program_of(std::to_string(pid));
  if (program.ends_with("/nvidia-cuda-mps-server")) return true;
  return !program.empty() && program == program_of("self") && parent_of(pid) == getppid();
}

}  // namespace

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

void record_neighbours(device::SensorReader& sensors, DeviceEvidence& evidence) {
  if (sensors.unavailable()) return;
  const device::Sensors now = sensors.read();
  if (!now.processes) return;
  std::set<std::uint32_t> listed;
  for (const auto* list : {&now.processes, &now.mps_processes}) {
    if (!*list) continue;
    for (const device::GpuProcess& process : **list) listed.insert(process.pid);
  }
  // A list without this process is of another machine's processes, as in a container, or of none.
  if (listed.erase(static_cast<std::uint32_t>(getpid())) == 0) return;
  evidence.foreign_processes = static_cast<std::uint64_t>(
      std::ranges::count_if(listed, [](std::uint32_t pid) { return !is_ours(pid); }));
}

}  // namespace aisp::probes
