// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

// Inputs change in every round at the same addresses, so an answer kept by address comes back wrong and equal
// to the one before.
Finding answer_fresh_finding(const Evidence& evidence) {
  const AnswerEvidence& answers = evidence.answers;
  if (answers.stale > 0) {
    return reject(count(answers.stale) + " of " + count(answers.checked) +
                      " answers repeat the answer to the inputs before",
                  "the variant keeps results between calls: key nothing by address, shape or call count");
  }
  if (answers.checked == 0) return unknown("no answer was checked", "let the run finish at least one round");
  return pass("none of " + count(answers.checked) + " answers repeats the one before");
}

}  // namespace

constexpr Guard answer_fresh{
    .id = "answer_fresh",
    .question = "Does every answer belong to the inputs it was given, not to earlier ones?",
    .issues = {5, 9, 32, 39},
    .required_from = Policy::portable,
    .judge = answer_fresh_finding,
};

}  // namespace aisp::guards
