// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

Finding priority_normal_finding(const Evidence& evidence) {
  const auto& raised = evidence.environment.priority_raised;
  if (!raised) return unknown("the scheduling class was not read", "sched_getscheduler is denied here");
  if (*raised) {
    return reject("the worker ran at raised priority (nice below zero or a real-time class)",
                  "start it without nice, chrt or a service file that raises it");
  }
  return pass("ordinary priority");
}

}  // namespace

constexpr Guard priority_normal{
    .id = "priority_normal",
    .question = "Did it run at ordinary priority?",
    .issues = {70},
    .required_from = Policy::standard,
    .judge = priority_normal_finding,
};

}  // namespace aisp::guards
