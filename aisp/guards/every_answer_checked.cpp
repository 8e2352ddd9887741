// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

// A variant that knows which calls are checked can be right in those and fast in the others.
Finding every_answer_checked_finding(const Evidence& evidence) {
  const AnswerEvidence& answers = evidence.answers;
  if (!(answers.miss_probability <= kLargestMissProbability)) {
    return reject("the checker overlooks a wrong answer with probability " +
                      number(answers.miss_probability) + ", allowed is " + number(kLargestMissProbability),
                  "add projections to the workload's check, or compare with the full reference");
  }
  if (answers.calls == 0) return unknown("no timed call was made", "let the run finish at least one round");
  if (answers.checked != answers.calls) {
    return reject(count(answers.checked) + " of " + count(answers.calls) + " timed answers were checked",
                  "check all of them; where the reference is too slow give the workload a `check`");
  }
  return pass("all " + count(answers.calls) + " timed answers checked, miss probability " +
              number(answers.miss_probability));
}

}  // namespace

constexpr Guard every_answer_checked{
    .id = "every_answer_checked",
    .question = "Was every timed answer checked, by a checker that misses next to nothing?",
    .issues = {10, 20, 55},
    .required_from = Policy::portable,
    .judge = every_answer_checked_finding,
};

}  // namespace aisp::guards
