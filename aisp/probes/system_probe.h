// SPDX-License-Identifier: Apache-2.0
/// \file
/// Counters of the whole machine before and after an attempt, and the state it was in. Unknown stays empty.
///
///   const SystemSnapshot before = SystemSnapshot::take();
///   ... rounds ...
///   const SystemSnapshot after = SystemSnapshot::take();
///   record_system(before, after, evidence.process, evidence.environment);
///
/// Reads /proc and /sys (well below a millisecond); not for use inside timed windows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "aisp/core/evidence.h"

namespace aisp::probes {

struct SystemSnapshot {
  std::optional<std::uint64_t> swapped_pages;      ///< in and out, since boot
  std::optional<std::uint64_t> throttled_periods;  ///< of the cgroup's CPU quota
  std::optional<double> steal_ns;                  ///< summed over processors
  std::optional<std::uint64_t> thermal_throttles;  ///< core and package events, since boot
  std::optional<std::string> governor;             ///< "performance"; "mixed: ..." when processors differ
  std::optional<bool> traced;
  std::optional<double> load;           ///< runnable tasks per processor, this one excluded
  std::optional<double> power_limit_w;  ///< of the CPU's packages
  static SystemSnapshot take();
};

/// Differences into `process`, state into `environment`.
void record_system(const SystemSnapshot& before, const SystemSnapshot& after, ProcessEvidence& process,
                   EnvironmentEvidence& environment);

/// The pieces, each usable alone (doctor, manifest).
std::optional<bool> being_traced();
/// Variables that load foreign code into the process, as "NAME=value; ..."; empty string when there are none.
std::string injection_variables();
/// "none" on bare metal; else the hypervisor's name; nothing when it cannot be told.
std::optional<std::string> hypervisor();
/// "none", or the limit in CPUs, "1.50 CPUs".
std::optional<std::string> cpu_quota();
/// "0-3,8", the processors the process may use.
std::optional<std::string> affinity();
/// nice below zero or a real-time class.
std::optional<bool> priority_raised();

}  // namespace aisp::probes
