// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/free_memory.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "aisp/probes/cgroup.h"
#include "aisp/probes/kernel_files.h"

namespace aisp::harness {
namespace {

std::string gibibytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g GiB", bytes / (1024.0 * 1024 * 1024));
  return text;
}

}  // namespace

double free_memory_bytes(const std::string& root_folder) {
  const auto kib = probes::counter_in(root_folder + "/proc/meminfo", "MemAvailable");
  return std::min(1024.0 * static_cast<double>(kib.value_or(0)), probes::cgroup_free_memory(root_folder));
}

double needed_bytes(const Problem& problem) {
  double bytes = static_cast<double>(problem.bytes()) + static_cast<double>(problem.workspace_bytes);
  for (const TensorSpec& tensor : problem.tensors) {
    // The reference holds a value and perhaps a scale in double for every output element.
    if (tensor.role == Role::output) bytes += 16.0 * static_cast<double>(tensor.size());
    // The operations of stateful work are kept elsewhere while the state is loaded.
    if (tensor.role == Role::input && problem.operations > 0) bytes += static_cast<double>(tensor.bytes());
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
