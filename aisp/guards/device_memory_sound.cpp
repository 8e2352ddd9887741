// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

Finding device_memory_sound_finding(const Evidence& evidence) {
  if (evidence.device == DeviceKind::cpu) return pass("measured on the CPU");
  const DeviceEvidence& device = evidence.accelerator;
  const std::uint64_t lost = device.new_ecc_uncorrected.value_or(0);
  if (lost > 0) {
    return reject(count(lost) + (lost == 1 ? " new error" : " new errors") +
                      " of the device's memory could not be corrected",
                  "inputs, answers and reference lie there: reset the device; `nvidia-smi -q -d ECC` counts");
  }
  // Its counts mean nothing then.
  if (device.ecc && !*device.ecc) {
    return note("the device's memory does not correct errors: ECC is off",
                "answers are checked all the same; `nvidia-smi -e 1` and a reset turn it on");
  }
  if (!device.ecc || !device.new_ecc_uncorrected) {
    return unknown("errors of the device's memory are not known",
                   "NVML tells, where it is installed and the device counts them");
  }
  const std::uint64_t mended = device.new_ecc_corrected.value_or(0);
  return pass("the device's memory made no new error" +
              (mended == 0 ? "" : " but " + count(mended) + " that it corrected"));
}

}  // namespace

constexpr Guard device_memory_sound{
    .id = "device_memory_sound",
    .question = "Did the device's memory keep what was written?",
    .issues = {13},
    .required_from = Policy::strict,
    .judge = device_memory_sound_finding,
};

}  // namespace aisp::guards
