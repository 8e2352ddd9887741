// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

Finding look(const Evidence& evidence) {
  if (evidence.device == DeviceKind::cpu) return pass("measured on the CPU");
  const auto& share = evidence.accelerator.host_over_launching;
  if (!share) return unknown("how long calls took on the host was not seen", "let the run finish");
  if (!(*share <= kLargestHostShare)) {
    return reject("calls took " + number(*share) +
                      " times as long on the host as launching and the device's work explain",
                  "do the work on the device; what may be prepared belongs into prepare()");
  }
  return pass("the host took " + number(*share) + " of what launching and the device's work explain");
}

}  // namespace

constexpr Guard host_only_launches{
    .id = "host_only_launches",
    .question = "Did the host only queue work, and the device do it?",
    .issues = {29, 49},
    .required_from = Policy::standard,
    .judge = look,
};

}  // namespace aisp::guards
