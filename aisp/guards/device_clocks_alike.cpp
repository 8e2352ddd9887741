// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

Finding look(const Evidence& evidence) {
  if (evidence.device == DeviceKind::cpu) return pass("measured on the CPU");
  const DeviceEvidence& device = evidence.accelerator;
  if (!device.throttle_reasons || !device.clock_change) {
    return unknown("the device's clocks are not known", "NVML tells, where it is installed");
  }
  if (device.throttle_reasons->find("thermal") != std::string::npos ||
      device.throttle_reasons->find("hardware") != std::string::npos) {
    return reject("the device held itself back: " + *device.throttle_reasons,
                  "cool it, or leave more time between runs");
  }
  if (!(*device.clock_change <= kLargestClockChange)) {
    return note("its clock differed from the baseline's by " + percent(*device.clock_change),
                "heavier work draws more power and lowers the clock: that is its cost, but not its code's");
  }
  return pass("clocks as for the baseline" +
              (device.throttle_reasons->empty() ? "" : ", held back by " + *device.throttle_reasons));
}

}  // namespace

constexpr Guard device_clocks_alike{
    .id = "device_clocks_alike",
    .question = "Did all variants run at the same clocks, unhampered by heat?",
    .issues = {69, 74},
    .required_from = Policy::standard,
    .judge = look,
};

}  // namespace aisp::guards
