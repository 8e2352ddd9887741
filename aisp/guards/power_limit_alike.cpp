// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

Finding power_limit_alike_finding(const Evidence& evidence) {
  const auto& lowest = evidence.environment.lowest_power_limit_w;
  const auto& highest = evidence.environment.highest_power_limit_w;
  if (!lowest || !highest) {
    return unknown("the power limit cannot be read", evidence.device == DeviceKind::cpu
                                                         ? "virtual machines hide it; it is the host's"
                                                         : "NVML tells, where it is installed");
  }
  if (!(*highest <= *lowest * (1 + kLargestPowerLimitChange))) {
    return reject("the power limit was between " + number(*lowest) + " W and " + number(*highest) + " W",
                  "leave it alone during a run: `nvidia-smi -q -d POWER` and /sys/class/powercap show it");
  }
  return pass("the power limit was " + number(*highest) + " W throughout");
}

}  // namespace

constexpr Guard power_limit_alike{
    .id = "power_limit_alike",
    .question = "Was the power limit the same for all variants and attempts?",
    .issues = {75},
    .required_from = Policy::strict,
    .judge = power_limit_alike_finding,
};

}  // namespace aisp::guards
