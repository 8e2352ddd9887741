// SPDX-License-Identifier: Apache-2.0
// Guards over answers: output_written, answer_right, answer_finite, answer_fresh, answer_varies,
// inputs_unchanged, bounds_respected, every_answer_checked, inputs_fresh, trace_answered.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "good_evidence.h"

namespace aisp::guards {
namespace {

struct Counter {
  const char* guard;
  std::uint64_t AnswerEvidence::* count;
};

class CountedFault : public testing::TestWithParam<Counter> {};

TEST_P(CountedFault, OneIsRejectedAndNonePasses) {
  Evidence evidence = good_evidence();
  EXPECT_EQ(level(GetParam().guard, evidence), Level::pass);
  evidence.answers.*GetParam().count = 1;
  const Finding found = finding(GetParam().guard, evidence);
  EXPECT_EQ(found.level, Level::reject);
  EXPECT_EQ(found.guard, GetParam().guard);
  EXPECT_NE(found.because.find('1'), std::string::npos) << "the number is missing: " << found.because;
  EXPECT_FALSE(found.hint.empty());
}

TEST_P(CountedFault, WithoutCallsNothingIsKnown) {
  Evidence evidence = good_evidence();
  evidence.shape = Shape::trace;
  evidence.answers = {};
  EXPECT_EQ(level(GetParam().guard, evidence), Level::unknown);
}

INSTANTIATE_TEST_SUITE_P(Answers, CountedFault,
                         testing::Values(Counter{"output_written", &AnswerEvidence::unwritten},
                                         Counter{"answer_right", &AnswerEvidence::wrong},
                                         Counter{"answer_finite", &AnswerEvidence::not_finite},
                                         Counter{"answer_fresh", &AnswerEvidence::stale},
                                         Counter{"answer_varies", &AnswerEvidence::constant},
                                         Counter{"inputs_unchanged", &AnswerEvidence::inputs_changed},
                                         Counter{"bounds_respected", &AnswerEvidence::out_of_bounds},
                                         Counter{"trace_answered", &AnswerEvidence::unanswered},
                                         Counter{"trace_answered", &AnswerEvidence::answered_twice}),
                         [](const auto& test) {
                           return std::string(test.param.guard) + std::to_string(test.index);
                         });

TEST(AnswerRight, TheToleranceItselfPasses) {
  Evidence evidence = good_evidence();
  evidence.answers.worst_error = 1;
  EXPECT_EQ(level("answer_right", evidence), Level::pass);
  evidence.answers.worst_error = std::nextafter(1.0, 2.0);
  EXPECT_EQ(level("answer_right", evidence), Level::reject);
  for (const double error : {kNaN, kInfinity}) {
    evidence.answers.worst_error = error;
    EXPECT_EQ(level("answer_right", evidence), Level::reject);
  }
}

TEST(AnswerRight, NamesTheFirstWrongElement) {
  Evidence evidence = good_evidence();
  evidence.answers.wrong = 7;
  evidence.answers.first_wrong = "y[17]: got 1.5, want 2";
  EXPECT_NE(finding("answer_right", evidence).because.find("y[17]"), std::string::npos);
}

TEST(EveryAnswerChecked, OneUncheckedIsRejected) {
  Evidence evidence = good_evidence();
  EXPECT_EQ(level("every_answer_checked", evidence), Level::pass);
  evidence.answers.checked = evidence.answers.calls - 1;
  EXPECT_EQ(level("every_answer_checked", evidence), Level::reject);
  evidence.answers.checked =
      evidence.answers.calls + 1;  // an account that does not add up is no proof either
  EXPECT_EQ(level("every_answer_checked", evidence), Level::reject);
}

TEST(EveryAnswerChecked, MissProbabilityHasALimit) {
  Evidence evidence = good_evidence();
  evidence.answers.miss_probability = 1e-9;
  EXPECT_EQ(level("every_answer_checked", evidence), Level::pass);
  for (const double p : {1.1e-9, 0.5, kNaN}) {
    evidence.answers.miss_probability = p;
    EXPECT_EQ(level("every_answer_checked", evidence), Level::reject) << p;
  }
}

TEST(EveryAnswerChecked, UnknownWithoutCalls) {
  Evidence evidence = good_evidence();
  evidence.answers.calls = evidence.answers.checked = 0;
  EXPECT_EQ(level("every_answer_checked", evidence), Level::unknown);
}

TEST(InputsFresh, ARepeatedRoundIsRejected) {
  Evidence evidence = good_evidence();
  EXPECT_EQ(level("inputs_fresh", evidence), Level::pass);
  evidence.answers.distinct_inputs = 47;
  EXPECT_EQ(level("inputs_fresh", evidence), Level::reject);
}

TEST(InputsFresh, OneFamilyIsRejected) {
  Evidence evidence = good_evidence();
  evidence.answers.families = 1;
  EXPECT_EQ(level("inputs_fresh", evidence), Level::reject);
}

TEST(InputsFresh, UnknownWithoutRounds) {
  Evidence evidence = good_evidence();
  evidence.sampling.rounds = 0;
  EXPECT_EQ(level("inputs_fresh", evidence), Level::unknown);
}

TEST(TraceAnswered, OtherShapesPass) {
  Evidence evidence = good_evidence();
  evidence.shape = Shape::call;
  evidence.answers = {};
  EXPECT_EQ(level("trace_answered", evidence), Level::pass);
}

}  // namespace
}  // namespace aisp::guards
