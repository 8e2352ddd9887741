// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

// The harness fills outputs with random words before each call. A word that survives in a wrong answer was
// never written: the call stopped early, wrote elsewhere, or counted on what an earlier call had left there.
Finding output_written_finding(const Evidence& evidence) {
  const AnswerEvidence& answers = evidence.answers;
  if (answers.unwritten > 0) {
    return reject(count(answers.unwritten) + " of " + count(answers.calls) +
                      " answers still held the harness's poison in places the call should have written",
                  "check the last rows and the tail of odd sizes; join threads before returning");
  }
  if (answers.checked == 0) return unknown("no answer was checked", "let the run finish at least one round");
  return pass("no poison survived in " + count(answers.checked) + " answers");
}

}  // namespace

constexpr Guard output_written{
    .id = "output_written",
    .question = "Did every call write all of its output?",
    .issues = {2, 14, 17, 20, 22, 36, 39},
    .required_from = Policy::portable,
    .judge = output_written_finding,
};

}  // namespace aisp::guards
