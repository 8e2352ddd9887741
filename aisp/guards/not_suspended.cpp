// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

// One paused window does not move a median, so this only tells; a pause that upsets the clock is
// clocks_agree's.
Finding look(const Evidence& evidence) {
  const auto& gap = evidence.timing.longest_gap_ns;
  if (!gap) return unknown("gaps between windows were not recorded", "the timing probe was off");
  if (!(*gap <= kNotableGapNs)) {
    return note(
        "one window stood still for " + duration(*gap),
        "the machine slept, was migrated, or something held the core: see involuntary switches and steal");
  }
  return pass("longest gap " + duration(*gap));
}

}  // namespace

constexpr Guard not_suspended{
    .id = "not_suspended",
    .question = "Did the machine run through, without a pause inside a window?",
    .issues = {6},
    .required_from = Policy::strict,
    .judge = look,
};

}  // namespace aisp::guards
