// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

// Inputs are shared by all variants of a round: a call that writes into them changes the next one's problem,
// and can make a wrong answer look right.
Finding inputs_unchanged_finding(const Evidence& evidence) {
  const AnswerEvidence& answers = evidence.answers;
  if (answers.inputs_changed > 0) {
    return reject(count(answers.inputs_changed) + " of " + count(answers.calls) + " calls changed an input",
                  "copy what you want to overwrite into scratch memory made in prepare()");
  }
  if (answers.calls == 0) return unknown("no timed call was made", "let the run finish at least one round");
  return pass("inputs unchanged after " + count(answers.calls) + " calls");
}

}  // namespace

constexpr Guard inputs_unchanged{
    .id = "inputs_unchanged",
    .question = "Are the inputs after each call what they were before it?",
    .issues = {25, 37},
    .required_from = Policy::portable,
    .judge = inputs_unchanged_finding,
};

}  // namespace aisp::guards
