// SPDX-License-Identifier: Apache-2.0
// Problems that cannot be: refused by validate() before anything is allocated or drawn.
#include "aisp/core/problem.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace aisp {
namespace {

Problem sound() {
  return {.tensors = {input<float>("x", {4, 4}, {uniform(-1, 1), wide_range(-10, 10)}),
                      output<float>("y", {4, 4}, exact())}};
}

void expect_refused(const Problem& problem, const std::string& says) {
  const Status valid = validate(problem);
  ASSERT_FALSE(valid) << says;
  EXPECT_EQ(valid.error().code, ErrorCode::bad_input);
  EXPECT_NE(valid.error().message.find(says), std::string::npos) << valid.error().message;
  EXPECT_FALSE(valid.error().hint.empty());
}

TEST(Problem, ThatIsSoundIsAccepted) { EXPECT_TRUE(validate(sound())); }

TEST(Problem, WithAShapeThatCannotBeIsRefused) {
  for (const Extents& shape :
       {Extents{0}, Extents{-1}, Extents{4, 0}, Extents{std::numeric_limits<std::int64_t>::min(), 2}}) {
    Problem problem = sound();
    problem.tensors[0].shape = shape;
    expect_refused(problem, "'x'");
  }
}

TEST(Problem, WithAToleranceThatCannotBeIsRefused) {
  for (const double value : {std::nan(""), -1e-6, HUGE_VAL, -HUGE_VAL}) {
    for (double Tolerance::* part : {&Tolerance::relative, &Tolerance::scaled, &Tolerance::absolute}) {
      Problem problem = sound();
      problem.tensors[1].tolerance.*part = value;
      expect_refused(problem, "tolerance");
    }
  }
}

TEST(Problem, WithoutOutputInputsOrFamiliesIsRefused) {
  Problem problem = sound();
  problem.tensors.pop_back();
  expect_refused(problem, "no output");
  problem = sound();
  problem.tensors[0].families.pop_back();
  expect_refused(problem, "two families");
  problem = sound();
  problem.tensors[0].families.clear();
  expect_refused(problem, "no distribution");
  problem = sound();
  problem.tensors[1].name = "x";
  expect_refused(problem, "declared twice");
}

}  // namespace
}  // namespace aisp
