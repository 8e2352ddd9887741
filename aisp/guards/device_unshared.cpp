// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

Finding device_unshared_finding(const Evidence& evidence) {
  if (evidence.device == DeviceKind::cpu) return pass("measured on the CPU");
  const auto& others = evidence.accelerator.foreign_processes;
  if (!others)
    return unknown("who else uses the device is not known",
                   "NVML tells, where it is installed and lists this process");
  if (*others > 0) {
    return reject(
        count(*others) + (*others == 1 ? " other process" : " other processes") + " computed on this device",
        "`nvidia-smi` names those still there; wait for them or use another device");
  }
  return pass("nobody else computed on this device");
}

}  // namespace

constexpr Guard device_unshared{
    .id = "device_unshared",
    .question = "Did this run have the device for itself?",
    .issues = {48, 87},
    .required_from = Policy::standard,
    .judge = device_unshared_finding,
};

}  // namespace aisp::guards
