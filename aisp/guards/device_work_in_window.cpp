// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

#include <algorithm>

namespace aisp::guards {
namespace {

Finding device_work_in_window_finding(const Evidence& evidence) {
  if (evidence.device == DeviceKind::cpu) return pass("measured on the CPU");
  const DeviceEvidence& device = evidence.accelerator;
  const double window = evidence.timing.shortest_window_ns;
  if (device.late_ns && !(*device.late_ns <= std::max(kDeviceIdleNs, kLargestShareAfterReturn * window))) {
    return reject("the device was busy for " + duration(*device.late_ns) + " after the timed work",
                  "join every stream to the one the call gets, and wait for copies");
  }
  if (!device.work_outside_window_ns) {
    return unknown("what the device did outside windows was not recorded",
                   "the run's notes say why; activity records need CUPTI and the right to use it");
  }
  if (!(*device.work_outside_window_ns <= std::max(kOutsideNs, kLargestShareAfterReturn * window))) {
    return reject(duration(*device.work_outside_window_ns) + " of work ran before its window or after it",
                  "join every stream to the one the call gets; leave no kernel, copy or callback behind");
  }
  return pass("all work ran inside its window");
}

}  // namespace

constexpr Guard device_work_in_window{
    .id = "device_work_in_window",
    .question = "Did all that the call made the device do run inside the timed window?",
    .issues = {1, 2, 33, 38, 44, 46, 50, 51},
    .required_from = Policy::standard,
    .judge = device_work_in_window_finding,
};

}  // namespace aisp::guards
