// SPDX-License-Identifier: Apache-2.0
/// \file
/// The CPU controller of the cgroup this process is in, version 1, 2 or both at once.
///
///   if (auto throttled = cgroup_throttled_periods()) ...
///   if (auto limit = cgroup_cpu_limit()) ...           // in CPUs; infinity without a limit
///
/// Limits set further up, outside a container's view, cannot be seen.
#pragma once

#include <cstdint>
#include <optional>

namespace aisp::probes {

/// Periods in which the quota was used up, in this group and those above it; nothing where no group shows a
/// count.
std::optional<std::uint64_t> cgroup_throttled_periods();
/// The tightest limit of this group and those above it.
std::optional<double> cgroup_cpu_limit();

}  // namespace aisp::probes
