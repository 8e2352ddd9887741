// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

// Variants of a round share its inputs and the process. What one of them left behind, another can only use
// when its turn comes later, so the turns that come first show what it does by itself.
Finding same_first_or_later_finding(const Evidence& evidence) {
  const auto& slower = evidence.sampling.first_in_round;
  if (!slower)
    return unknown("too few turns as the first of a round to compare", "give the cell more rounds");
  if (!(*slower <= kLargestFirstSlowdown)) {
    return reject(
        "it takes " + number(*slower) + " times as long when no other variant has had the inputs before it",
        "a variant must compute its answers itself: look for what it keeps from other variants' calls");
  }
  return pass("first turns take " + number(*slower) + " of the others' time");
}

}  // namespace

constexpr Guard same_first_or_later{
    .id = "same_first_or_later",
    .question = "Does it take as long as the first of its round as after others?",
    .issues = {9},
    .required_from = Policy::strict,
    .judge = same_first_or_later_finding,
};

}  // namespace aisp::guards
