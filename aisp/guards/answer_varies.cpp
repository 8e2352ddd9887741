// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

// A constant answer that is right (constant inputs) is not counted as constant by the harness.
Finding answer_varies_finding(const Evidence& evidence) {
  const AnswerEvidence& answers = evidence.answers;
  if (answers.constant > 0) {
    return reject(count(answers.constant) + " of " + count(answers.checked) +
                      " answers are wrong and hold one value in every element",
                  "the variant does not compute from its inputs");
  }
  if (answers.checked == 0) return unknown("no answer was checked", "let the run finish at least one round");
  return pass("no constant answer among " + count(answers.checked));
}

}  // namespace

constexpr Guard answer_varies{
    .id = "answer_varies",
    .question = "Do answers depend on the inputs?",
    .issues = {8},
    .required_from = Policy::portable,
    .judge = answer_varies_finding,
};

}  // namespace aisp::guards
