// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

// Apart from answer_right because a NaN has slipped through many comparisons: every test against it is false.
Finding answer_finite_finding(const Evidence& evidence) {
  const AnswerEvidence& answers = evidence.answers;
  if (answers.not_finite > 0) {
    return reject(
        count(answers.not_finite) + " of " + count(answers.checked) +
            " answers hold a NaN or an Inf that the reference does not have",
        "look for a division by a sum that can be zero, an exponential without its maximum taken off, or "
        "scratch memory read before it was written");
  }
  if (answers.checked == 0) return unknown("no answer was checked", "let the run finish at least one round");
  return pass("no NaN or Inf of its own in " + count(answers.checked) + " answers");
}

}  // namespace

constexpr Guard answer_finite{
    .id = "answer_finite",
    .question = "Is every answer free of NaN and Inf that the reference does not have?",
    .issues = {11, 12, 17},
    .required_from = Policy::portable,
    .judge = answer_finite_finding,
};

}  // namespace aisp::guards
