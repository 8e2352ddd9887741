// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

// Differences between processes (layout, huge pages, a tuner's choice) widen the interval by themselves: a
// note.
Finding attempts_agree_finding(const Evidence& evidence) {
  const auto& spread = evidence.sampling.attempt_spread;
  if (!spread) return unknown("the spread of the attempts is not known", "run at least two attempts");
  if (!(*spread <= kNotableAttemptSpread)) {
    return note("the attempts' medians differ by " + percent(*spread),
                "memory layout or a library's own choice differs between processes");
  }
  return pass("attempts differ by " + percent(*spread));
}

}  // namespace

constexpr Guard attempts_agree{
    .id = "attempts_agree",
    .question = "Do the fresh processes agree with one another?",
    .issues = {40, 58},
    .required_from = Policy::strict,
    .judge = attempts_agree_finding,
};

}  // namespace aisp::guards
