// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

Finding trace_answered_finding(const Evidence& evidence) {
  const AnswerEvidence& answers = evidence.answers;
  if (answers.unanswered > 0) {
    return reject(count(answers.unanswered) + " requests were never answered",
                  "serve until the trace is closed and the last batch is empty");
  }
  if (answers.answered_twice > 0) {
    return reject(count(answers.answered_twice) + " answers were given twice or to requests never made",
                  "answer each request once, by the id it came with");
  }
  if (evidence.shape != Shape::trace) return pass("not a trace: every call is its own request");
  if (answers.calls == 0) return unknown("no trace was served", "let the run finish at least one round");
  return pass("every request of " + count(answers.calls) + " traces answered once");
}

}  // namespace

constexpr Guard trace_answered{
    .id = "trace_answered",
    .question = "Was every request of the trace answered exactly once?",
    .issues = {20, 22},
    .required_from = Policy::portable,
    .judge = trace_answered_finding,
};

}  // namespace aisp::guards
