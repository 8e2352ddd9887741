// SPDX-License-Identifier: Apache-2.0
/// \file
/// The CPU and memory controllers of the cgroup this process is in, version 1, 2 or both at once.
///
///   if (auto throttled = cgroup_throttled_periods()) ...
///   if (auto limit = cgroup_cpu_limit()) ...           // in CPUs; infinity without a limit
///
/// Limits set further up, outside a container's view, cannot be seen. Tests pass a folder that stands for the
/// root of the file system.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace aisp::probes {

/// The statistics of this group and those above it that can be read, for a caller who reads them often.
std::vector<std::string> cgroup_cpu_stat_files(const std::string& root_folder = "");
/// Periods in which the quota was used up, in this group and those above it; nothing where no group shows a
/// count.
std::optional<std::uint64_t> cgroup_throttled_periods(const std::string& root_folder = "");
/// The tightest limit of this group and those above it.
std::optional<double> cgroup_cpu_limit(const std::string& root_folder = "");
/// Bytes that the memory limits of this group and those above it still allow; infinity without a limit.
double cgroup_free_memory(const std::string& root_folder = "");

}  // namespace aisp::probes
