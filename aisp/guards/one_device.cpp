// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

Finding one_device_finding(const Evidence& evidence) {
  if (evidence.device == DeviceKind::cpu) return pass("measured on the CPU");
  const auto& elsewhere = evidence.accelerator.work_on_other_devices;
  if (!elsewhere) {
    return unknown("what other devices did was not recorded",
                   "the run's notes say why; activity records need CUPTI and the right to use it");
  }
  if (*elsewhere > 0) {
    return reject(
        count(*elsewhere) + (*elsewhere == 1 ? " piece" : " pieces") + " of work ran on another device",
        "use the current device only; a figure is of one device");
  }
  return pass("no other device worked for it");
}

}  // namespace

constexpr Guard one_device{
    .id = "one_device",
    .question = "Did the measured device do all of the work?",
    .issues = {47},
    .required_from = Policy::standard,
    .judge = one_device_finding,
};

}  // namespace aisp::guards
