// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/list.h"

#include <string>

namespace aisp::guards {
namespace {

Finding answer_right_finding(const Evidence& evidence) {
  const AnswerEvidence& answers = evidence.answers;
  const std::string first = answers.first_wrong.empty() ? "" : "; first: " + answers.first_wrong;
  const char* hint =
      "run `aisp verify` on the workload: it shows the element, the reference and the tolerance";
  if (answers.wrong > 0) {
    return reject(count(answers.wrong) + " of " + count(answers.checked) +
                      " answers are wrong, the worst by " + number(answers.worst_error) + " x the tolerance" +
                      first,
                  hint);
  }
  if (!(answers.worst_error <= 1)) {
    return reject("the worst error is " + number(answers.worst_error) + " x the tolerance" + first, hint);
  }
  if (answers.checked == 0) return unknown("no answer was checked", "let the run finish at least one round");
  return pass(count(answers.checked) + " answers right, the worst at " + number(answers.worst_error) +
              " x the tolerance");
}

}  // namespace

constexpr Guard answer_right{
    .id = "answer_right",
    .question = "Was every checked answer right?",
    .issues = {8, 9, 10, 13, 15, 17, 18, 20, 21, 22, 23, 24, 25, 26, 27},
    .required_from = Policy::portable,
    .judge = answer_right_finding,
};

}  // namespace aisp::guards
