// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

// What a host function computes is no work of the device, and no record says when it ran.
Finding no_host_functions_finding(const Evidence& evidence) {
  if (evidence.device == DeviceKind::cpu) return pass("measured on the CPU");
  const auto& functions = evidence.accelerator.host_functions;
  if (!functions) {
    return unknown("host functions in streams were not recorded",
                   "the run's notes say why; activity records need CUPTI and the right to use it");
  }
  if (*functions > 0) {
    return reject(count(*functions) + " host functions were queued in a window",
                  "do the work on the device, or declare the variant for the CPU");
  }
  return pass("no host function was queued");
}

}  // namespace

constexpr Guard no_host_functions{
    .id = "no_host_functions",
    .question = "Was nothing handed back to the host from within a stream?",
    .issues = {29, 43},
    .required_from = Policy::standard,
    .judge = no_host_functions_finding,
};

}  // namespace aisp::guards
