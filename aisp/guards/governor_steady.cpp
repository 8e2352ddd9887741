// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

Finding governor_steady_finding(const Evidence& evidence) {
  const EnvironmentEvidence& environment = evidence.environment;
  const char* how = "`cpupower frequency-set -g performance` before the run";
  if (environment.governor_changed.value_or(false)) {
    return reject("the frequency governor changed during the run", how);
  }
  if (!environment.governor || !environment.governor_changed) {
    return unknown("the frequency governor cannot be read", "virtual machines hide it; it is the host's");
  }
  if (*environment.governor != "performance")
    return note("the governor is '" + *environment.governor + "'", how);
  return pass("governor 'performance' throughout");
}

}  // namespace

constexpr Guard governor_steady{
    .id = "governor_steady",
    .question = "Is the frequency governor known, and did it stay?",
    .issues = {69, 73},
    .required_from = Policy::strict,
    .judge = governor_steady_finding,
};

}  // namespace aisp::guards
