// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

// A throttled group is stopped for the rest of its period, up to 100 ms, wherever its code happens to be.
// Rounds in which that happened are discarded, and few_rounds_discarded rejects when they are most. Here is
// rejected what the rule over rounds did not see.
Finding no_cpu_throttling_finding(const Evidence& evidence) {
  const auto& periods = evidence.process.throttled_periods;
  if (!periods) {
    // Without a quota there is nothing that could throttle.
    if (evidence.environment.cpu_quota == "none") return pass("no CPU quota is set");
    // Or what there is did not: a thread that had its core for all of its windows was never stopped in one.
    const ProcessEvidence& process = evidence.process;
    if (process.cpu_in_windows_ns && process.others_cpu_in_windows_ns && process.wall_in_windows_ns) {
      const double own = *process.cpu_in_windows_ns - *process.others_cpu_in_windows_ns;
      const double share = own / *process.wall_in_windows_ns;
      if (share >= kWholeCoreShare) return pass("had its core for " + percent(share) + " of its windows");
    }
    return unknown("the cgroup's throttling was not recorded", "cpu.stat of the cgroup could not be read");
  }
  if (*periods > 0 && evidence.sampling.discarded_for(kRoundThrottled)) {
    return note("the CPU quota stopped the process in " + count(*periods) +
                    " periods; the rounds they fell into are discarded",
                "raise the container's CPU limit (cpu.max, --cpus), or use fewer threads");
  }
  if (*periods > 0) {
    return reject("the CPU quota stopped the process in " + count(*periods) + " periods",
                  "raise the container's CPU limit (cpu.max, --cpus), or use fewer threads");
  }
  return pass("never throttled by a CPU quota");
}

}  // namespace

constexpr Guard no_cpu_throttling{
    .id = "no_cpu_throttling",
    .question = "Did the CPU quota leave the process alone?",
    .issues = {78},
    .required_from = Policy::standard,
    .judge = no_cpu_throttling_finding,
};

}  // namespace aisp::guards
