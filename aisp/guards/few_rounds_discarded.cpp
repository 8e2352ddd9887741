// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

#include <string>

namespace aisp::guards {
namespace {

// Rounds go only by a rule about the machine's state, declared in advance, and whole: all variants of the
// round.
Finding few_rounds_discarded_finding(const Evidence& evidence) {
  const SamplingEvidence& sampling = evidence.sampling;
  const int all_rounds = sampling.rounds + sampling.rounds_discarded;
  if (all_rounds <= 0) return unknown("no round was sampled", "let the run finish at least one round");
  const double share = static_cast<double>(sampling.rounds_discarded) / all_rounds;
  std::string because = std::to_string(sampling.rounds_discarded) + " of " + std::to_string(all_rounds) +
                        " rounds were discarded";
  if (!sampling.discard_reasons.empty()) because += " (" + sampling.discard_reasons.front() + ")";
  const char* hint = "see the rule named; the machine's state has to be put right, not the rule";
  if (!(share <= kLargestDiscardedShare)) return reject(because, hint);
  if (!(share <= kNotableDiscardedShare)) return note(because, hint);
  return pass(because);
}

}  // namespace

constexpr Guard few_rounds_discarded{
    .id = "few_rounds_discarded",
    .question = "Were most rounds kept?",
    .issues = {80, 81},
    .required_from = Policy::portable,
    .judge = few_rounds_discarded_finding,
};

}  // namespace aisp::guards
