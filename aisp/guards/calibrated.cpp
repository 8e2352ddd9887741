// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

#include <cmath>
#include <string>

namespace aisp::guards {
namespace {

// Rejected only when the A/A interval excludes 1 by more than the region of practical equivalence: then this
// method on this machine sees differences that are not there. An interval that merely excludes 1 happens in
// one honest run of twenty. A wide one is honest too: the comparison beside it is as wide, and says
// inconclusive by itself.
Finding calibrated_finding(const Evidence& evidence) {
  const auto& low = evidence.sampling.aa_low;
  const auto& high = evidence.sampling.aa_high;
  if (!low || !high)
    return unknown("the baseline was not measured against itself often enough for an interval",
                   "give the cell more time (--cell-seconds)");
  const double equivalence = evidence.sampling.equivalence.value_or(kEquivalence);
  const std::string interval = "baseline against itself: " + number(*low) + " to " + number(*high);
  if (!(*low <= 1 + equivalence) || !(*high >= 1 / (1 + equivalence))) {
    return reject(interval + ", which excludes 1 by more than " + percent(equivalence),
                  "something favours one position in the round: heat, another process, a clock that changes");
  }
  if (!(*low > 0) || !std::isfinite(*high)) {
    return unknown(interval + " has no end: too few rounds", "give the cell more time (--cell-seconds)");
  }
  if (!(*low <= 1) || !(*high >= 1)) {
    return note(interval + ", which excludes 1", "differences of this size are noise here");
  }
  if (!(*high / *low <= (1 + equivalence) * (1 + equivalence))) {
    return note(interval + ": differences of " + percent(equivalence) + " cannot be seen on this machine now",
                "a quieter machine or more time narrows it");
  }
  return pass(interval);
}

}  // namespace

constexpr Guard calibrated{
    .id = "calibrated",
    .question = "Does the baseline measured against itself come out equal?",
    .issues = {87},
    .required_from = Policy::standard,
    .judge = calibrated_finding,
};

}  // namespace aisp::guards
