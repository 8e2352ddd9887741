// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/free_memory.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "aisp/probes/cgroup.h"
#include "aisp/probes/kernel_files.h"

namespace aisp::harness {
namespace {

/// In double: a size that can never fit may be one that no integer holds.
double elements_of(const TensorSpec& tensor) {
  double count = 1;
  for (const std::int64_t extent : tensor.shape) count *= static_cast<double>(extent);
  return count;
}

}  // namespace

std::string readable_bytes(double bytes) {
  constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < std::size(kUnits); ++unit) bytes /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, "%.3g %s", bytes, kUnits[unit]);
  return text;
}

double free_memory_bytes(const std::string& root_folder) {
  const auto kib = probes::counter_in(root_folder + "/proc/meminfo", "MemAvailable");
  return std::min(1024.0 * static_cast<double>(kib.value_or(0)), probes::cgroup_free_memory(root_folder));
}

double needed_bytes(const Problem& problem) {
  auto bytes = static_cast<double>(problem.workspace_bytes);
  for (const TensorSpec& tensor : problem.tensors) {
    const double own = elements_of(tensor) * static_cast<double>(size_of(tensor.dtype));
    bytes += own;
    // The reference holds a value and perhaps a scale in double for every output element.
    if (tensor.role == Role::output) bytes += 16.0 * elements_of(tensor);
    // The operations of stateful work are kept elsewhere while the state is loaded.
    if (tensor.role == Role::input && problem.operations > 0) bytes += own;
  }
  return bytes;
}

Status fits_memory(double needed, double limit) {
  const double free = free_memory_bytes();
  const double usable = limit > 0 ? std::min(limit, 0.9 * free) : 0.9 * free;
  if (needed <= usable) return Ok{};
  if (limit > 0 && usable == limit) {
    return Error{ErrorCode::environment,
                 "needs " + readable_bytes(needed) + ", and --memory-limit allows " + readable_bytes(limit),
                 "choose a smaller size with --param, or a larger limit"};
  }
  return Error{ErrorCode::environment,
               "needs " + readable_bytes(needed) + ", and " + readable_bytes(usable) + " of the " +
                   readable_bytes(free) + " that are free can be used",
               "choose a smaller size with --param"};
}

Status check_memory_limit(double limit) {
  if (limit == 0 || limit >= kLeastMemory) return Ok{};
  return Error{ErrorCode::usage, "with --memory-limit " + readable_bytes(limit) + " no worker could start",
               "give " + readable_bytes(kLeastMemory) + " or more, in bytes: --memory-limit 4e9"};
}

}  // namespace aisp::harness
