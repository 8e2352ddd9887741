// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/model.h"

#include <gtest/gtest.h>

namespace aisp::analysis {
namespace {

// y = 3 x^2 exactly: 12, 48, 192, 768.
TEST(Model, FindsAPower) {
  const Model model = fit(std::vector<ModelPoint>{{2, 12}, {4, 48}, {8, 192}, {16, 768}});
  EXPECT_EQ(model.form, "a x^b");
  EXPECT_NEAR(model.a, 3, 1e-9);
  EXPECT_NEAR(model.b, 2, 1e-9);
  EXPECT_NEAR(model.factor, 1, 1e-9);
  EXPECT_NEAR(model.at(5).value->value, 75, 1e-6) << "3 * 25";
}

// y = 100 + 2 x: 102, 120, 300, 2100. No power goes through these.
TEST(Model, FindsAnOverheadAndASlope) {
  const Model model = fit(std::vector<ModelPoint>{{1, 102}, {10, 120}, {100, 300}, {1000, 2100}});
  EXPECT_EQ(model.form, "a + b x");
  EXPECT_NEAR(model.a, 100, 1e-6);
  EXPECT_NEAR(model.b, 2, 1e-6);
  EXPECT_NEAR(model.at(50).value->value, 200, 1e-6);
}

// x = 1, 10, 100 with y = 10, 110, 1000: in decimal logarithms u = 0, 1, 2 and v = 1, 2.041393, 3.
// Without the middle: v(1) = 2, off by 10^0.041393 = 1.1. Without the first: slope 0.958607, v(0) = 1.082785,
// off by 10^0.082785 = 1.21. Without the last: slope 1.041393, v(2) = 3.082785, off by 1.21. The worst
// is 1.21. An overhead and a slope would be off by more: without the first, y(1) = 110 - 9 * 890/90 = 21
// instead of 10.
TEST(Model, TellsItsErrorFromTheSizesKeptFromIt) {
  const Model model = fit(std::vector<ModelPoint>{{1, 10}, {10, 110}, {100, 1000}});
  EXPECT_EQ(model.form, "a x^b");
  EXPECT_NEAR(model.factor, 1.21, 1e-3);
  const Estimate at = *model.at(10).value;
  EXPECT_NEAR(at.high / at.value, 1.21, 1e-3);
  EXPECT_NEAR(at.value / at.low, 1.21, 1e-3);
}

TEST(Model, RefusesWhatItCannotKnow) {
  EXPECT_EQ(fit({}).needs, "3 measured sizes; there are 0");
  EXPECT_EQ(fit(std::vector<ModelPoint>{{1, 1}, {2, 2}}).needs, "3 measured sizes; there are 2");
  EXPECT_EQ(fit(std::vector<ModelPoint>{{1, 1}, {1, 2}, {1, 3}}).needs, "3 measured sizes; there is 1");
  EXPECT_EQ(fit(std::vector<ModelPoint>{{1, 1}, {2, 0}, {3, 3}}).needs, "sizes and values above zero");
  const Model model = fit(std::vector<ModelPoint>{{2, 12}, {4, 48}, {8, 192}});
  EXPECT_EQ(model.at(1).needs, "a measured size of at most 1");
  EXPECT_EQ(model.at(9).needs, "a measured size of at least 9");
  EXPECT_TRUE(model.at(2).value && model.at(8).value);
}

TEST(Model, RefusesACliff) {
  const Model model = fit(std::vector<ModelPoint>{{1, 1}, {2, 2}, {4, 4}, {8, 800}, {16, 16}});
  EXPECT_TRUE(model.form.empty());
  EXPECT_NE(model.at(3).needs, "");
  EXPECT_FALSE(model.at(3).value);
}

}  // namespace
}  // namespace aisp::analysis
