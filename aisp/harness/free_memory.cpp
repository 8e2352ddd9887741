// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/free_memory.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>

namespace aisp::harness {
namespace {

double read_number(const char* path, double otherwise) {
  std::ifstream file(path);
  double value = otherwise;
  return file >> value ? value : otherwise;
}

double available_by_kernel() {
  std::ifstream meminfo("/proc/meminfo");
  std::string key;
  double kib = 0;
  std::string unit;
  while (meminfo >> key >> kib && std::getline(meminfo, unit)) {
    if (key == "MemAvailable:") return kib * 1024;
  }
  return 0;
}

double available_by_cgroup() {
  const double none = 1e18;
  const double v2 =
      read_number("/sys/fs/cgroup/memory.max", none) - read_number("/sys/fs/cgroup/memory.current", 0);
  const double v1 = read_number("/sys/fs/cgroup/memory/memory.limit_in_bytes", none) -
                    read_number("/sys/fs/cgroup/memory/memory.usage_in_bytes", 0);
  return std::min(v1, v2);
}

std::string gibibytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g GiB", bytes / (1024.0 * 1024 * 1024));
  return text;
}

}  // namespace

double free_memory_bytes() { return std::min(available_by_kernel(), available_by_cgroup()); }

double needed_bytes(const Problem& problem) {
  double bytes = static_cast<double>(problem.bytes()) + static_cast<double>(problem.workspace_bytes);
  for (const TensorSpec& tensor : problem.tensors) {
    // The reference holds a value and perhaps a scale in double for every output element.
    if (tensor.role == Role::output) bytes += 16.0 * static_cast<double>(tensor.size());
  }
  return bytes;
}

Status fits_memory(const Problem& problem) {
  const double needed = needed_bytes(problem);
  const double available = 0.9 * free_memory_bytes();
  if (needed <= available) return Ok{};
  return Error{ErrorCode::environment,
               "needs " + gibibytes(needed) + ", and " + gibibytes(available) + " can be used",
               "choose a smaller size with --param"};
}

}  // namespace aisp::harness
