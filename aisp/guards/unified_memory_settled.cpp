// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

Finding unified_memory_settled_finding(const Evidence& evidence) {
  if (evidence.device == DeviceKind::cpu) return pass("measured on the CPU");
  const DeviceEvidence& device = evidence.accelerator;
  const auto& moves = device.unified_memory_moves;
  if (!moves) {
    return unknown("faults and migrations of unified memory were not recorded",
                   "the run's notes say why; activity records need CUPTI and the right to use it");
  }
  if (*moves == 0) return pass("no page of unified memory moved in a window");
  if (!device.declares_managed_memory.value_or(false)) {
    return reject(count(*moves) + " faults or migrations of unified memory in a window",
                  "use device memory or prefetch in prepare(); where moving pages is the subject, declare "
                  ".managed_memory = true for the variant");
  }
  return pass(count(*moves) + " faults or migrations of unified memory in a window, as declared");
}

}  // namespace

constexpr Guard unified_memory_settled{
    .id = "unified_memory_settled",
    .question = "Did pages of unified memory stay where they were during windows?",
    .issues = {52},
    .required_from = Policy::standard,
    .judge = unified_memory_settled_finding,
};

}  // namespace aisp::guards
