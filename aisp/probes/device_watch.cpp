// SPDX-License-Identifier: Apache-2.0
#include "aisp/probes/device_watch.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
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

std::optional<std::uint64_t> neighbours(const device::Sensors& now) {
  if (!now.processes) return std::nullopt;
  std::set<std::uint32_t> listed;
  for (const auto* list : {&now.processes, &now.mps_processes}) {
    if (!*list) continue;
    for (const device::GpuProcess& process : **list) listed.insert(process.pid);
  }
  // A list without this process is of another machine's processes, as in a container, or of none.
  if (listed.erase(static_cast<std::uint32_t>(getpid())) == 0) return std::nullopt;
  return static_cast<std::uint64_t>(
      std::ranges::count_if(listed, [](std::uint32_t pid) { return !is_ours(pid); }));
}

/// Counted between two looks. Nothing where somebody has set the count back.
std::optional<std::uint64_t> rise(std::optional<std::uint64_t> first, std::optional<std::uint64_t> last) {
  if (!first || !last || *last < *first) return std::nullopt;
  return *last - *first;
}

std::optional<double> median_of(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

std::optional<double> mean_of(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  return std::reduce(values.begin(), values.end()) / static_cast<double>(values.size());
}

}  // namespace

void DeviceWatch::look(device::SensorReader& sensors) {
  if (sensors.unavailable()) return;
  power_limit_.look(sensors.watt_limit());
  const device::SensorSample now = sensors.sample();
  if (now.sm_mhz) core_mhz_.push_back(*now.sm_mhz);
  if (now.memory_mhz) memory_mhz_.push_back(*now.memory_mhz);
  if (now.watts) watts_.push_back(*now.watts);
  if (now.celsius) highest_celsius_ = std::max(highest_celsius_.value_or(*now.celsius), *now.celsius);
  if (!now.throttling) return;
  throttling_known_ = true;
  throttling_.insert(now.throttling->begin(), now.throttling->end());
}

void DeviceWatch::record(Evidence& all) const {
  // The limit of what ran the calls, not of the CPU that launched them.
  all.environment.lowest_power_limit_w = power_limit_.lowest_w();
  all.environment.highest_power_limit_w = power_limit_.highest_w();
  DeviceEvidence& evidence = all.accelerator;
  evidence.core_mhz = median_of(core_mhz_);
  evidence.memory_mhz = median_of(memory_mhz_);
  evidence.mean_watts = mean_of(watts_);
  evidence.highest_celsius = highest_celsius_;
  if (!throttling_known_) return;
  std::string reasons;
  for (const std::string& reason : throttling_) reasons += (reasons.empty() ? "" : ", ") + reason;
  evidence.throttle_reasons = reasons;
}

void AttemptWatch::look(device::SensorReader& sensors) {
  if (sensors.unavailable()) return;
  last_ = sensors.read();
  if (!first_) first_ = last_;
  most_corrected_ = std::max(most_corrected_, rise(first_->ecc_corrected, last_->ecc_corrected).value_or(0));
  most_uncorrected_ =
      std::max(most_uncorrected_, rise(first_->ecc_uncorrected, last_->ecc_uncorrected).value_or(0));
  const std::optional<std::uint64_t> found = neighbours(*last_);
  if (!found) neighbours_known_ = false;
  most_neighbours_ = std::max(most_neighbours_, found.value_or(0));
}

void AttemptWatch::record(DeviceEvidence& evidence) const {
  if (!first_) return;
  if (neighbours_known_ || most_neighbours_ > 0) evidence.foreign_processes = most_neighbours_;
  evidence.ecc = last_->ecc;
  evidence.new_ecc_corrected = rise(first_->ecc_corrected, last_->ecc_corrected);
  evidence.new_ecc_uncorrected = rise(first_->ecc_uncorrected, last_->ecc_uncorrected);
  if (most_corrected_ > 0) evidence.new_ecc_corrected = most_corrected_;
  if (most_uncorrected_ > 0) evidence.new_ecc_uncorrected = most_uncorrected_;
}

}  // namespace aisp::probes
