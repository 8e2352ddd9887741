// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/list.h"

#include <string>

namespace aisp::guards {
namespace {

Finding enough_samples_finding(const Evidence& evidence) {
  const SamplingEvidence& sampling = evidence.sampling;
  if (sampling.rounds_required <= 0) {
    return unknown("how many rounds an interval needs was not recorded", "the plan of looks is missing");
  }
  if (sampling.rounds < sampling.rounds_required) {
    return reject(std::to_string(sampling.rounds) + " rounds kept; with fewer than " +
                      std::to_string(sampling.rounds_required) + " no interval is possible",
                  "give the cell more time (--cell-seconds), allow more rounds (--max-rounds) or choose a "
                  "smaller size");
  }
  // Not more than that: a ratio rests on the rounds that two variants have in common, several looks share the
  // error, and rounds like their neighbours count for fewer. Its row says so where that leaves no interval.
  return pass(std::to_string(sampling.rounds) + " rounds kept; an interval is possible from " +
              std::to_string(sampling.rounds_required));
}

}  // namespace

constexpr Guard enough_samples{
    .id = "enough_samples",
    .question = "Are there enough rounds for an interval?",
    .issues = {84},
    .required_from = Policy::portable,
    .judge = enough_samples_finding,
};

}  // namespace aisp::guards
