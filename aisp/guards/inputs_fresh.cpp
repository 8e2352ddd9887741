// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

#include <string>

namespace aisp::guards {
namespace {

// Repeated contents invite replay: an answer remembered by content is right and costs nothing.
Finding inputs_fresh_finding(const Evidence& evidence) {
  const AnswerEvidence& answers = evidence.answers;
  const int rounds = evidence.sampling.rounds;
  if (rounds <= 0) return unknown("no round was kept", "let the run finish at least one round");
  if (answers.distinct_inputs < static_cast<std::uint64_t>(rounds)) {
    return reject(
        "inputs were new in " + count(answers.distinct_inputs) + " of " + std::to_string(rounds) + " rounds",
        "draw every input from the round's own stream; a tensor of few possible values repeats");
  }
  if (answers.families < kFewestFamilies) {
    const std::string seen = "inputs came from " + std::to_string(answers.families) + " family, " +
                             std::to_string(kFewestFamilies) + " are needed";
    // Families take turns: with too few rounds one was never reached, and nothing is known of it.
    if (rounds < kFewestFamilies) return unknown(seen, "give the cell more time (--cell-seconds)");
    return reject(seen, "declare a hard family beside the well-behaved one (cancellation, wide range, ties)");
  }
  return pass(std::to_string(rounds) + " rounds of new inputs from " + std::to_string(answers.families) +
              " families");
}

}  // namespace

constexpr Guard inputs_fresh{
    .id = "inputs_fresh",
    .question = "Did every round bring inputs not seen before, from at least two families?",
    .issues = {5, 9, 32},
    .required_from = Policy::portable,
    .judge = inputs_fresh_finding,
};

}  // namespace aisp::guards
