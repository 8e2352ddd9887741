// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/summary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace aisp::stats {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

TEST(Summary, QuantilesInterpolateLikeTypeSeven) {
  const std::vector<double> x = {4, 1, 3, 2};
  EXPECT_DOUBLE_EQ(quantile(x, 0), 1);
  EXPECT_DOUBLE_EQ(quantile(x, 0.25), 1.75);
  EXPECT_DOUBLE_EQ(quantile(x, 0.9), 3.7);
  EXPECT_DOUBLE_EQ(median(x), 2.5);
  EXPECT_DOUBLE_EQ(quantile(x, 1), 4);
  EXPECT_TRUE(std::isnan(quantile(x, 1.1)));
  EXPECT_TRUE(std::isnan(quantile(x, nan)));
}

TEST(Summary, OfOneToHundred) {
  std::vector<double> x;
  for (int i = 100; i >= 1; --i) x.push_back(i);
  const Summary s = summarise(x);
  EXPECT_EQ(s.count, 100u);
  EXPECT_DOUBLE_EQ(s.min, 1);
  EXPECT_DOUBLE_EQ(s.p10, 10.9);
  EXPECT_DOUBLE_EQ(s.p50, 50.5);
  EXPECT_DOUBLE_EQ(s.mean, 50.5);
  EXPECT_DOUBLE_EQ(s.p90, 90.1);
  EXPECT_DOUBLE_EQ(s.p99, 99.01);
  EXPECT_DOUBLE_EQ(s.max, 100);
  EXPECT_DOUBLE_EQ(s.mad, 25);
}

TEST(Summary, EmptyIsUnknown) {
  const Summary s = summarise({});
  EXPECT_EQ(s.count, 0u);
  for (double v : {s.min, s.p10, s.p50, s.mean, s.p90, s.p99, s.max, s.mad}) EXPECT_TRUE(std::isnan(v));
}

TEST(Summary, OneValueIsEveryQuantile) {
  const std::vector<double> x = {7};
  const Summary s = summarise(x);
  for (double v : {s.min, s.p10, s.p50, s.mean, s.p90, s.p99, s.max}) EXPECT_DOUBLE_EQ(v, 7);
  EXPECT_DOUBLE_EQ(s.mad, 0);
}

TEST(Summary, ANaNIsNeverDropped) {
  const std::vector<double> x = {1, 2, nan, 4};
  const Summary s = summarise(x);
  EXPECT_EQ(s.count, 4u);
  for (double v : {s.min, s.p50, s.mean, s.max, s.mad}) EXPECT_TRUE(std::isnan(v));
}

TEST(Summary, InfinitiesAreOrderedAndDoNotSpoilTheMedian) {
  const std::vector<double> x = {1, inf, 2, inf, 3};
  EXPECT_DOUBLE_EQ(median(x), 3);
  EXPECT_EQ(maximum(x), inf);
  EXPECT_EQ(mean(x), inf);
  EXPECT_EQ(quantile(x, 0.9), inf);
}

TEST(Summary, MeanKeepsSmallValuesBesideLargeOnes) {
  const std::vector<double> x = {1e16, 1, 1, 1, 1, -1e16};
  EXPECT_DOUBLE_EQ(mean(x), 4.0 / 6);
}

}  // namespace
}  // namespace aisp::stats
