// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

Finding bounds_respected_finding(const Evidence& evidence) {
  const AnswerEvidence& answers = evidence.answers;
  if (answers.out_of_bounds > 0) {
    return reject(count(answers.out_of_bounds) + " of " + count(answers.calls) +
                      " calls changed a guard word beside a buffer",
                  "build with the asan preset: it names the store that is out of bounds");
  }
  if (answers.calls == 0) return unknown("no timed call was made", "let the run finish at least one round");
  return pass("guard words intact after " + count(answers.calls) + " calls");
}

}  // namespace

constexpr Guard bounds_respected{
    .id = "bounds_respected",
    .question = "Did every call write inside its own buffers only?",
    .issues = {14},
    .required_from = Policy::portable,
    .judge = bounds_respected_finding,
};

}  // namespace aisp::guards
