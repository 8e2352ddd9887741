// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

Finding no_thermal_throttling_finding(const Evidence& evidence) {
  const auto& events = evidence.environment.thermal_throttles;
  if (!events)
    return unknown("thermal throttling is not reported here", "virtual machines hide it; it is the host's");
  if (*events > 0) {
    return reject("the CPU throttled itself for heat " + count(*events) + " times during the run",
                  "let it cool, improve the airflow, or lower the load beside it");
  }
  return pass("no thermal throttling");
}

}  // namespace

constexpr Guard no_thermal_throttling{
    .id = "no_thermal_throttling",
    .question = "Did heat leave the clock alone?",
    .issues = {74},
    .required_from = Policy::strict,
    .judge = no_thermal_throttling_finding,
};

}  // namespace aisp::guards
