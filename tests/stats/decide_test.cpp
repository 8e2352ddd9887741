// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/decide.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace aisp::stats {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

TEST(Decide, ExcludingOneIsADifference) {
  EXPECT_EQ(decide(1.01, 1.03, 0.02).outcome, Outcome::faster);
  EXPECT_FALSE(decide(1.01, 1.03, 0.02).small);
  EXPECT_EQ(decide(0.95, 0.97, 0.02).outcome, Outcome::slower);
  EXPECT_FALSE(decide(0.95, 0.97, 0.02).small);
  EXPECT_EQ(decide(1.5, 2.5, 0.02).outcome, Decision::Outcome::faster);
}

TEST(Decide, ADifferenceInsideTheRegionIsSmall) {
  EXPECT_EQ(decide(1.005, 1.015, 0.02).outcome, Outcome::faster);
  EXPECT_TRUE(decide(1.005, 1.015, 0.02).small);
  EXPECT_EQ(decide(0.985, 0.995, 0.02).outcome, Outcome::slower);
  EXPECT_TRUE(decide(0.985, 0.995, 0.02).small);
  EXPECT_TRUE(decide(1.001, 1.02, 0.02).small);
  EXPECT_TRUE(decide(1 / 1.02, 0.999, 0.02).small);
  EXPECT_FALSE(decide(0.98, 0.999, 0.02).small);  // 0.98 < 1 / 1.02: the region is symmetric in log
}

TEST(Decide, HoldingOneInsideTheRegionIsEquivalent) {
  EXPECT_EQ(decide(0.99, 1.015, 0.02).outcome, Outcome::equivalent);
  EXPECT_EQ(decide(1, 1.01, 0.02).outcome, Outcome::equivalent);
  EXPECT_EQ(decide(0.99, 1, 0.02).outcome, Outcome::equivalent);
  EXPECT_EQ(decide(1, 1, 0).outcome, Outcome::equivalent);
  EXPECT_FALSE(decide(0.99, 1.015, 0.02).small);
}

TEST(Decide, AnythingElseIsInconclusive) {
  EXPECT_EQ(decide(0.98, 1.05, 0.02).outcome, Outcome::inconclusive);
  EXPECT_EQ(decide(0.99, 1.03, 0.02).outcome, Outcome::inconclusive);
  EXPECT_EQ(decide(0.9, 1, 0.02).outcome, Outcome::inconclusive);
}

TEST(Decide, NumbersThatAreNoneDecideNothing) {
  for (double low : {nan, -1.0, 0.0, inf, -inf})
    EXPECT_EQ(decide(low, 1.01, 0.02).outcome, Outcome::inconclusive);
  for (double high : {nan, inf, 1.0})
    EXPECT_EQ(decide(1.005, high, 0.02).outcome, Outcome::inconclusive) << high;
  for (double delta : {nan, inf, -0.1}) EXPECT_EQ(decide(1.1, 1.2, delta).outcome, Outcome::inconclusive);
}

TEST(Decide, HasAWordForEachOutcome) {
  EXPECT_EQ(to_string(Outcome::faster), "faster");
  EXPECT_EQ(to_string(Outcome::slower), "slower");
  EXPECT_EQ(to_string(Outcome::equivalent), "equivalent");
  EXPECT_EQ(to_string(Outcome::inconclusive), "inconclusive");
}

}  // namespace
}  // namespace aisp::stats
