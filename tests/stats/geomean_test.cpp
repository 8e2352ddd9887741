// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/geomean.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "aisp/core/rng.h"
#include "aisp/stats/holm.h"

namespace aisp::stats {
namespace {

TEST(GeometricMean, OfRatios) {
  EXPECT_DOUBLE_EQ(*geometric_mean(std::vector<double>{2, 8}), 4);
  EXPECT_NEAR(*geometric_mean(std::vector<double>{0.5, 2}), 1, 1e-15);
  EXPECT_DOUBLE_EQ(*geometric_mean(std::vector<double>{3}), 3);
}

TEST(GeometricMean, RefusesWhatHasNone) {
  for (double bad : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    const auto g = geometric_mean(std::vector<double>{1, bad, 2});
    ASSERT_FALSE(g) << bad;
    EXPECT_EQ(g.error().code, ErrorCode::bad_input);
    EXPECT_FALSE(g.error().hint.empty());
    EXPECT_FALSE(geometric_mean_interval(std::vector<double>{1, bad}, 0.05, 1));
  }
  EXPECT_FALSE(geometric_mean({}));
  EXPECT_FALSE(geometric_mean_interval(std::vector<double>{1, 2}, 1.0, 1));
  EXPECT_FALSE(suite_geometric_mean({}, 0.05, 1));
  EXPECT_FALSE(suite_geometric_mean(std::vector<PairedRounds>{{}}, 0.05, 1));
  EXPECT_FALSE(suite_geometric_mean(std::vector<PairedRounds>{{{{0.1, std::nan("")}}}}, 0.05, 1));
}

TEST(GeometricMean, IntervalOfFewValues) {
  EXPECT_FALSE(geometric_mean_interval(std::vector<double>{3}, 0.05, 1)->interval);
  const auto same = geometric_mean_interval(std::vector<double>{2, 2, 2}, 0.05, 1);
  EXPECT_NEAR(same->interval->low, 2, 1e-12);
  EXPECT_NEAR(same->interval->high, 2, 1e-12);
}

TEST(GeometricMean, IntervalCoversTheTrueMean) {
  Rng rng(1);
  int covered = 0;
  for (int i = 0; i < 300; ++i) {
    std::vector<double> ratios;
    for (int k = 0; k < 40; ++k) ratios.push_back(1.5 * std::exp(0.3 * rng.normal()));
    const auto g = geometric_mean_interval(ratios, 0.05, static_cast<std::uint64_t>(i));
    covered += g->interval->low <= 1.5 && 1.5 <= g->interval->high;
    EXPECT_LT(g->interval->low, g->value);
    EXPECT_GT(g->interval->high, g->value);
  }
  EXPECT_GE(covered, 273);  // 91 %
  EXPECT_LE(covered, 297);
}

TEST(GeometricMean, OfASuiteResamplesAttemptsAndRounds) {
  Rng rng(2);
  std::vector<PairedRounds> cells;
  for (double ratio : {1.1, 1.5, 3.0}) {
    PairedRounds cell;
    for (int a = 0; a < 3; ++a) {
      std::vector<double> attempt;
      for (int i = 0; i < 32; ++i) attempt.push_back(std::log(ratio) + 0.02 * rng.normal());
      cell.log_ratios_by_attempt.push_back(attempt);
    }
    cells.push_back(cell);
  }
  const double truth = std::cbrt(1.1 * 1.5 * 3.0);
  const auto g = suite_geometric_mean(cells, 0.05, 3);
  ASSERT_TRUE(g);
  EXPECT_NEAR(g->value, truth, 0.01 * truth);
  EXPECT_LE(g->interval->low, truth);
  EXPECT_GE(g->interval->high, truth);
  EXPECT_LT(g->interval->high / g->interval->low, 1.02);
  EXPECT_EQ(g->interval->low, suite_geometric_mean(cells, 0.05, 3)->interval->low);

  // An attempt that disagrees makes the suite less certain, not the attempt less counted.
  for (double& v : cells[0].log_ratios_by_attempt[1]) v += 0.3;
  const auto wider = suite_geometric_mean(cells, 0.05, 3);
  EXPECT_GT(wider->interval->high / wider->interval->low, 1.05);
  cells[0].log_ratios_by_attempt.push_back({});  // an attempt that crashed before its first round
  EXPECT_TRUE(std::isfinite(suite_geometric_mean(cells, 0.05, 3)->interval->low));
}

TEST(Holm, ByHand) {
  const auto p = holm_adjusted(std::vector<double>{0.01, 0.04, 0.03, 0.005});
  EXPECT_DOUBLE_EQ(p[3], 0.02);  // 4 x 0.005
  EXPECT_DOUBLE_EQ(p[0], 0.03);  // 3 x 0.01
  EXPECT_DOUBLE_EQ(p[2], 0.06);  // 2 x 0.03
  EXPECT_DOUBLE_EQ(p[1], 0.06);  // 1 x 0.04, but never below the one before
}

TEST(Holm, EdgesStayInRange) {
  EXPECT_TRUE(holm_adjusted({}).empty());
  EXPECT_EQ(holm_adjusted(std::vector<double>{0.9, 0.8})[0], 1);
  const auto p = holm_adjusted(std::vector<double>{std::nan(""), 0.01});
  EXPECT_TRUE(std::isnan(p[0]));
  EXPECT_DOUBLE_EQ(p[1], 0.02);
}

TEST(Holm, SignTestPValue) {
  EXPECT_DOUBLE_EQ(sign_test_p_value(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -1, -2}),
                   2 * 79.0 / 4096);
  EXPECT_EQ(sign_test_p_value({}), 1);
  EXPECT_EQ(sign_test_p_value(std::vector<double>{0, 0}), 1);
  EXPECT_EQ(sign_test_p_value(std::vector<double>{1, -1}), 1);
  EXPECT_TRUE(std::isnan(sign_test_p_value(std::vector<double>{1, std::nan("")})));
}

}  // namespace
}  // namespace aisp::stats
