// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

// Flush-to-zero or another rounding mode changes the answers and the speed of everything that runs
// afterwards, the baseline included.
Finding rounding_mode_kept_finding(const Evidence& evidence) {
  const auto& changed = evidence.process.rounding_mode_changed;
  if (!changed)
    return unknown("the floating-point control register was not read", "not supported on this CPU");
  if (*changed) {
    return reject("a call changed the floating-point control register (rounding, flush-to-zero)",
                  "restore MXCSR or FPCR before returning");
  }
  return pass("floating-point mode unchanged");
}

}  // namespace

constexpr Guard rounding_mode_kept{
    .id = "rounding_mode_kept",
    .question = "Did the variant leave the floating-point mode as it found it?",
    .issues = {16, 19},
    .required_from = Policy::standard,
    .judge = rounding_mode_kept_finding,
};

}  // namespace aisp::guards
