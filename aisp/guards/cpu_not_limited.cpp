// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

// A quota that never bites does no harm (no_cpu_throttling judges that); it is still a difference between
// machines.
Finding cpu_not_limited_finding(const Evidence& evidence) {
  const auto& quota = evidence.environment.cpu_quota;
  if (!quota) return unknown("the CPU quota is not known", "no cgroup file could be read");
  if (*quota != "none")
    return note("a CPU quota is set: " + *quota, "compare only with runs under the same quota");
  return pass("no CPU quota");
}

}  // namespace

constexpr Guard cpu_not_limited{
    .id = "cpu_not_limited",
    .question = "Is the process free of a CPU quota?",
    .issues = {78},
    .required_from = Policy::strict,
    .judge = cpu_not_limited_finding,
};

}  // namespace aisp::guards
