// SPDX-License-Identifier: Apache-2.0
// The comparison with the reference, element by element: what is within the tolerance, and what never is.
#include "aisp/core/checker.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace aisp {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class CheckerTest : public testing::Test {
 protected:
  /// Compares four elements: the second as given, the others right.
  CheckOutcome compare(float got, double want, double scale = 0) {
    values[1] = got;
    WideTensor wide{{1, want, 3, 4}, {}};
    if (scale > 0) wide.scale = {1, scale, 3, 4};
    CheckOutcome outcome;
    compare_tensor(spec, {reinterpret_cast<std::byte*>(values.data()), DType::f32, shape, 4}, wide, outcome);
    return outcome;
  }

  std::array<float, 4> values{1, 2, 3, 4};
  std::array<std::int64_t, 1> shape{4};
  TensorSpec spec = output<float>("y", {4}, {.relative = 0.01, .scaled = 0.01});
};

TEST_F(CheckerTest, WithinTheToleranceIsRightAndSaysHowClose) {
  EXPECT_EQ(compare(2, 2).wrong, 0u);
  const CheckOutcome close = compare(2.02F, 2);
  EXPECT_EQ(close.wrong, 0u);
  EXPECT_NEAR(close.worst, 0.5, 0.01) << "two hundredths of 2 are allowed: relative and scaled";
}

TEST_F(CheckerTest, BeyondItIsWrongAndNamed) {
  const CheckOutcome off = compare(2.2F, 2);
  EXPECT_EQ(off.wrong, 1u);
  EXPECT_NEAR(off.worst, 5, 0.1);
  EXPECT_NE(off.first.find("y[1]: got 2.2"), std::string::npos) << off.first;
}

TEST_F(CheckerTest, TheScaleOfWhatWasSummedCounts) {
  EXPECT_EQ(compare(1.0F, 0).wrong, 1u) << "nothing was summed";
  EXPECT_EQ(compare(1.0F, 0, 200).wrong, 0u) << "terms of 200 cancelled";
}

TEST_F(CheckerTest, NaNIsRightOnlyWhereTheReferenceHasIt) {
  const CheckOutcome unwanted = compare(std::numeric_limits<float>::quiet_NaN(), 2);
  EXPECT_EQ(unwanted.wrong, 1u);
  EXPECT_TRUE(std::isinf(unwanted.worst)) << "not NaN, which no guard could compare";
  EXPECT_EQ(compare(2, kNaN).wrong, 1u);
  EXPECT_EQ(compare(std::numeric_limits<float>::quiet_NaN(), kNaN).wrong, 0u);
}

TEST_F(CheckerTest, InfinityIsRightOnlyWhereTheReferenceHasTheSame) {
  EXPECT_EQ(compare(HUGE_VALF, 2).wrong, 1u);
  EXPECT_EQ(compare(2, HUGE_VAL).wrong, 1u) << "an infinite reference allows no finite answer";
  EXPECT_EQ(compare(-HUGE_VALF, HUGE_VAL).wrong, 1u);
  EXPECT_EQ(compare(HUGE_VALF, HUGE_VAL).wrong, 0u);
}

TEST_F(CheckerTest, BitwiseAllowsNothingButTheSignOfZero) {
  spec.tolerance = exact();
  EXPECT_EQ(compare(2, 2).wrong, 0u);
  EXPECT_EQ(compare(std::nextafter(2.0F, 3.0F), 2).wrong, 1u);
  EXPECT_EQ(compare(-0.0F, 0).wrong, 0u);
}

}  // namespace
}  // namespace aisp
