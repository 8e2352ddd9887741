// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

// After the flush nothing of the inputs is in the cache, so whoever reads them reads them from memory. Fewer
// bytes mean inputs that were not read, or a cache that was not cold.
Finding compulsory_bytes_read_finding(const Evidence& evidence) {
  if (evidence.device == DeviceKind::cpu) return pass("measured on the CPU");
  const DeviceEvidence& device = evidence.accelerator;
  if (!device.compulsory_bytes && device.dram_bytes) return pass("not a cold run with inputs to be read");
  if (!device.dram_bytes) {
    return unknown("bytes read from the device's memory were not counted",
                   "the run's notes say why; counters need CUPTI and the right to use them");
  }
  const double share = *device.dram_bytes / *device.compulsory_bytes;
  if (!(share >= kCompulsoryShare)) {
    return reject("only " + percent(share) + " of the compulsory bytes were read from memory",
                  "read every input; where the workload needs fewer bytes, correct its declaration");
  }
  return pass(percent(share) + " of the compulsory bytes were read from memory");
}

}  // namespace

constexpr Guard compulsory_bytes_read{
    .id = "compulsory_bytes_read",
    .question = "Did a cold call read its inputs from memory?",
    .issues = {20, 45},
    .required_from = Policy::standard,
    .judge = compulsory_bytes_read_finding,
};

}  // namespace aisp::guards
