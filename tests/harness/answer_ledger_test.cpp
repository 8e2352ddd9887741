// SPDX-License-Identifier: Apache-2.0
// How a wrong answer is classified: each class is a guard's only evidence.
#include "aisp/harness/answer_ledger.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "example.h"

namespace aisp::harness {
namespace {

class AnswerLedgerTest : public testing::Test {
 protected:
  /// One timed call on fresh inputs that writes what `write` writes.
  bool call(int round, const std::function<void(float* x, float* y)>& write) {
    set.draw(seed, round, 0);
    set.arm(static_cast<std::uint64_t>(round) + 1);
    Rng rng(1);
    const auto checker =
        make_reference_checker(example_reference, {params, problem, set.inputs(), set.state(), rng});
    write(set.inputs()[0].as<float>().data, set.outputs()[0].as<float>().data);
    return ledger.record(set, 0, *checker);
  }
  static void right(float* x, float* y) {
    for (std::int64_t i = 0; i < kExampleElements; ++i) y[i] = 2 * x[i];
  }

  Params params{{"n", kExampleElements}};
  Problem problem = example_problem(params);
  Seed seed = Seed::from_hex("5eed");
  TensorSet set{problem, params, false};
  AnswerLedger ledger;
  const AnswerEvidence& seen = ledger.evidence();
};

TEST_F(AnswerLedgerTest, RightAnswersLeaveACleanRecord) {
  for (int round = 0; round < 4; ++round) EXPECT_TRUE(call(round, right));
  EXPECT_EQ(seen.calls, 4u);
  EXPECT_EQ(seen.checked, 4u);
  EXPECT_EQ(seen.wrong + seen.unwritten + seen.stale + seen.constant + seen.not_finite, 0u);
  EXPECT_EQ(seen.out_of_bounds + seen.inputs_changed, 0u);
  EXPECT_EQ(seen.first_wrong, "");
}

TEST_F(AnswerLedgerTest, OneElementOffIsWrongAndNamed) {
  call(0, [](float* x, float* y) {
    right(x, y);
    y[17] = std::nextafter(y[17], HUGE_VALF);
  });
  EXPECT_EQ(seen.wrong, 1u);
  EXPECT_NE(seen.first_wrong.find("y[17]"), std::string::npos) << seen.first_wrong;
  EXPECT_EQ(seen.unwritten + seen.stale + seen.constant + seen.not_finite, 0u);
}

TEST_F(AnswerLedgerTest, NothingWrittenIsUnwritten) {
  call(0, [](float*, float*) {});
  EXPECT_EQ(seen.unwritten, 1u);
  EXPECT_EQ(seen.wrong, 1u);
  EXPECT_EQ(seen.not_finite, 0u) << "the NaN there is ours";
}

TEST_F(AnswerLedgerTest, ATailLeftOutIsUnwritten) {
  call(0, [](float* x, float* y) {
    for (std::int64_t i = 0; i < kExampleElements - 1; ++i) y[i] = 2 * x[i];
  });
  EXPECT_EQ(seen.unwritten, 1u);
}

TEST_F(AnswerLedgerTest, TheAnswerToTheRoundBeforeIsStale) {
  std::vector<float> kept(kExampleElements);
  call(0, [&](float* x, float* y) {
    right(x, y);
    std::copy_n(y, kExampleElements, kept.data());
  });
  call(1, [&](float*, float* y) { std::copy_n(kept.data(), kExampleElements, y); });
  EXPECT_EQ(seen.stale, 1u);
  EXPECT_EQ(seen.wrong, 1u);
}

TEST_F(AnswerLedgerTest, TheSameRightAnswerTwiceIsNotStale) {
  call(0, right);
  call(0, right);
  EXPECT_EQ(seen.stale, 0u);
}

TEST_F(AnswerLedgerTest, OneValueEverywhereIsConstant) {
  call(0, [](float*, float* y) { std::fill_n(y, kExampleElements, 0.25F); });
  EXPECT_EQ(seen.constant, 1u);
}

TEST_F(AnswerLedgerTest, ANaNOrInfinityOfTheVariantIsNotFinite) {
  call(0, [](float* x, float* y) {
    right(x, y);
    y[3] = std::numeric_limits<float>::quiet_NaN();
  });
  call(1, [](float* x, float* y) {
    right(x, y);
    y[4] = HUGE_VALF;
  });
  EXPECT_EQ(seen.not_finite, 2u);
  EXPECT_TRUE(std::isinf(seen.worst_error));
}

TEST_F(AnswerLedgerTest, AChangedInputIsCountedAndAskedToBeRedrawn) {
  EXPECT_FALSE(call(0, [](float* x, float* y) {
    right(x, y);
    x[0] += 1;
  }));
  EXPECT_EQ(seen.inputs_changed, 1u);
  EXPECT_EQ(seen.wrong, 0u) << "the answer itself was right";
  EXPECT_NE(seen.first_wrong.find("input x"), std::string::npos);
}

TEST_F(AnswerLedgerTest, AWriteOutsideIsCountedEvenWithARightAnswer) {
  call(0, [](float* x, float* y) {
    right(x, y);
    float* volatile outside = y + kExampleElements;
    *outside = 1;
  });
  EXPECT_EQ(seen.out_of_bounds, 1u);
  EXPECT_EQ(seen.wrong, 0u);
}

}  // namespace
}  // namespace aisp::harness
