// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

#include <algorithm>

namespace aisp::guards {
namespace {

// Steal is counted over whole attempts and windows are a part of them, so the share is an upper bound: a
// note.
Finding little_steal_finding(const Evidence& evidence) {
  const ProcessEvidence& process = evidence.process;
  if (!process.steal_ns || !process.wall_in_windows_ns) {
    return unknown("stolen time is not reported here", "/proc/stat has no steal column for this machine");
  }
  const double share = *process.steal_ns / std::max(1.0, *process.wall_in_windows_ns);
  if (!(share <= kNotableStealShare)) {
    return note("the hypervisor took " + duration(*process.steal_ns) + " during the attempts, up to " +
                    percent(share) + " of the time in windows",
                "neighbours are busy: measure at another hour or on a machine of your own");
  }
  return pass("the hypervisor took " + duration(*process.steal_ns));
}

}  // namespace

constexpr Guard little_steal{
    .id = "little_steal",
    .question = "Did the hypervisor leave the cores to us?",
    .issues = {79, 87},
    .required_from = Policy::strict,
    .judge = little_steal_finding,
};

}  // namespace aisp::guards
