// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

#include <string>

namespace aisp::guards {
namespace {

// A missing attempt is a result that somebody, or a crash, selected away.
Finding all_attempts_finished_finding(const Evidence& evidence) {
  const SamplingEvidence& sampling = evidence.sampling;
  const std::string finished = std::to_string(sampling.attempts_finished);
  const std::string planned = std::to_string(sampling.attempts_planned);
  if (sampling.attempts_finished < sampling.attempts_planned) {
    return reject(
        finished + " of " + planned + " attempts finished",
        "the attempts' records say how the others ended; `aisp run --resume` continues an interrupted run");
  }
  if (sampling.attempts_finished < kFewestAttempts) {
    return unknown("the spread between processes cannot be told from " + finished + " of at least " +
                       std::to_string(kFewestAttempts) + " attempts",
                   "run with --attempts " + std::to_string(kFewestAttempts) + " or more");
  }
  return pass("all " + planned + " attempts finished");
}

}  // namespace

constexpr Guard all_attempts_finished{
    .id = "all_attempts_finished",
    .question = "Did at least three fresh processes measure it, and all to the end?",
    .issues = {80, 84},
    .required_from = Policy::standard,
    .judge = all_attempts_finished_finding,
};

}  // namespace aisp::guards
