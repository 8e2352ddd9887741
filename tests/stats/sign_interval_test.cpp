// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/sign_interval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace aisp::stats {
namespace {

std::vector<double> one_to(int n) {
  std::vector<double> x(static_cast<std::size_t>(n));
  std::iota(x.begin(), x.end(), 1.0);
  return x;
}

TEST(FairBinomialTail, MatchesHandCounts) {
  EXPECT_DOUBLE_EQ(fair_binomial_tail(5, 0), 1.0 / 32);
  EXPECT_DOUBLE_EQ(fair_binomial_tail(12, 2), 79.0 / 4096);  // 1 + 12 + 66
  EXPECT_DOUBLE_EQ(fair_binomial_tail(12, 1), 13.0 / 4096);
  EXPECT_DOUBLE_EQ(fair_binomial_tail(20, 5), 21700.0 / 1048576);  // 1+20+190+1140+4845+15504
  EXPECT_DOUBLE_EQ(fair_binomial_tail(3, 1), 0.5);
  EXPECT_EQ(fair_binomial_tail(3, -1), 0);
  EXPECT_EQ(fair_binomial_tail(3, 3), 1);
}

TEST(FairBinomialTail, NeitherOverflowsNorUnderflowsForLargeCounts) {
  EXPECT_NEAR(fair_binomial_tail(2001, 1000), 0.5, 1e-12);
  EXPECT_NEAR(fair_binomial_tail(10000, 4901), 0.5 * std::erfc(0.985 * std::sqrt(2.0)), 1e-5);
  EXPECT_EQ(fair_binomial_tail(5000, 0), 0);  // 2^-5000 is below every double, and must not be NaN
}

TEST(SignInterval, CriticalCountsOfTheTextbooks) {
  // Two-sided 5 %, from the tables of the sign test.
  const std::vector<std::pair<int, int>> table = {{5, -1}, {6, 0},  {8, 0},  {9, 1},   {12, 2},
                                                  {20, 5}, {25, 7}, {30, 9}, {50, 17}, {100, 39}};
  for (const auto& [n, c] : table) EXPECT_EQ(sign_critical_count(n, 0.05), c) << n;
}

TEST(SignInterval, OfTwelveValuesDropsTwoOnEachSide) {
  const auto i = sign_interval(one_to(12), 0.05);
  ASSERT_TRUE(i);
  EXPECT_DOUBLE_EQ(i->low, 3);
  EXPECT_DOUBLE_EQ(i->high, 10);
  EXPECT_DOUBLE_EQ(i->confidence, 1 - 158.0 / 4096);
}

TEST(SignInterval, TooFewValuesGiveNone) {
  for (int n : {0, 1, 2, 3, 4, 5}) EXPECT_FALSE(sign_interval(one_to(n), 0.05)) << n;
  EXPECT_TRUE(sign_interval(one_to(6), 0.05));
  EXPECT_FALSE(sign_interval(one_to(100), 0));
}

TEST(SignInterval, AllEqualIsAPoint) {
  const std::vector<double> x(20, 1.5);
  const auto i = sign_interval(x, 0.05);
  ASSERT_TRUE(i);
  EXPECT_EQ(i->low, 1.5);
  EXPECT_EQ(i->high, 1.5);
}

TEST(SignInterval, NaNGivesNoneAndInfinityIsAnEnd) {
  std::vector<double> x = one_to(12);
  for (std::size_t i = 8; i < 12; ++i) x[i] = std::numeric_limits<double>::infinity();
  const auto i = sign_interval(x, 0.05);
  ASSERT_TRUE(i);
  EXPECT_TRUE(std::isinf(i->high));
  x[0] = std::nan("");
  EXPECT_FALSE(sign_interval(x, 0.05));
}

TEST(SignInterval, EndsThatWouldCrossGiveNone) {
  EXPECT_FALSE(interval_from_count(one_to(4), 2));
  EXPECT_FALSE(interval_from_count(one_to(4), -1));
  const auto i = interval_from_count(one_to(5), 2);
  ASSERT_TRUE(i);
  EXPECT_EQ(i->low, i->high);
  EXPECT_EQ(i->confidence, 0);
}

}  // namespace
}  // namespace aisp::stats
