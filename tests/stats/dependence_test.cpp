// SPDX-License-Identifier: Apache-2.0
// Neighbouring rounds that are alike, and processes that are not.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "aisp/core/rng.h"
#include "aisp/stats/attempts.h"
#include "aisp/stats/autocorrelation.h"
#include "aisp/stats/block_bootstrap.h"

namespace aisp::stats {
namespace {

using Attempts = std::vector<std::vector<double>>;

Attempts autoregressive(Rng& rng, int attempts, int rounds, double rho) {
  Attempts all;
  for (int a = 0; a < attempts; ++a) {
    double state = rng.normal();
    std::vector<double> series;
    for (int i = 0; i < rounds; ++i) {
      series.push_back(state);
      state = rho * state + std::sqrt(1 - rho * rho) * rng.normal();
    }
    all.push_back(series);
  }
  return all;
}

TEST(Autocorrelation, FindsWhatWasPutIn) {
  Rng rng(1);
  for (double rho : {0.0, 0.3, 0.6}) {
    double sum = 0;
    for (int i = 0; i < 200; ++i) sum += autocorrelation(autoregressive(rng, 3, 64, rho)).lag1;
    EXPECT_NEAR(sum / 200, rho, 0.07) << rho;
  }
}

TEST(Autocorrelation, ShortAttemptsAreNotBiased) {
  Rng rng(2);
  double sum = 0;
  int alarms = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto a = autocorrelation(autoregressive(rng, 3, 4, 0));
    sum += a.lag1;
    alarms += a.p_value < 0.05;
  }
  EXPECT_NEAR(sum / 2000, 0, 0.02);
  EXPECT_LE(alarms, 160);
}

TEST(Autocorrelation, ADifferenceBetweenAttemptsIsNone) {
  Rng rng(3);
  Attempts all = autoregressive(rng, 3, 100, 0);
  for (double& v : all[1]) v += 50;
  EXPECT_LT(std::abs(autocorrelation(all).lag1), 0.2);
}

TEST(Autocorrelation, TooLittleToSay) {
  for (const Attempts& all : {Attempts{}, Attempts{{}}, Attempts{{1}, {2}}, Attempts{{1, 2}},
                              Attempts{{5, 5, 5, 5}}, Attempts{{1, std::nan(""), 3, 4}}}) {
    EXPECT_EQ(autocorrelation(all).lag1, 0);
    EXPECT_EQ(autocorrelation(all).p_value, 1);
  }
}

TEST(Autocorrelation, InflationIsWhatDependentSignsShow) {
  EXPECT_EQ(sign_variance_inflation(0), 1);
  EXPECT_EQ(sign_variance_inflation(-0.5), 1);
  EXPECT_TRUE(std::isfinite(sign_variance_inflation(1)));
  Rng rng(11);
  for (double rho : {0.4, 0.6}) {
    double squares = 0;
    for (int i = 0; i < 3000; ++i) {
      const Attempts all = autoregressive(rng, 1, 200, rho);
      double below = -100;
      for (double v : all[0]) below += v < 0;
      squares += below * below;
    }
    EXPECT_NEAR(squares / 3000 / 50, sign_variance_inflation(rho), 0.2) << rho;  // 50 = 200 / 4
  }
}

TEST(BlockBootstrap, BlocksGrowWithDependenceAndLength) {
  EXPECT_EQ(block_length(100, 0), 1);
  EXPECT_EQ(block_length(100, -0.5), 1);
  EXPECT_LT(block_length(100, 0.2), block_length(100, 0.6));
  EXPECT_LT(block_length(20, 0.4), block_length(1000, 0.4));
  EXPECT_LE(block_length(4, 0.99), 2);
  EXPECT_EQ(block_length(1, 0.9), 1);
}

TEST(BlockBootstrap, IsDeterministicForASeed) {
  Rng rng(4);
  const Attempts all = autoregressive(rng, 3, 32, 0.4);
  const auto a = block_bootstrap_median(all, {.alpha = 0.05, .lag1 = 0.4, .seed = 9});
  const auto b = block_bootstrap_median(all, {.alpha = 0.05, .lag1 = 0.4, .seed = 9});
  const auto c = block_bootstrap_median(all, {.alpha = 0.05, .lag1 = 0.4, .seed = 10});
  ASSERT_TRUE(a && b && c);
  EXPECT_EQ(a->low, b->low);
  EXPECT_EQ(a->high, b->high);
  EXPECT_TRUE(a->low != c->low || a->high != c->high);
}

TEST(BlockBootstrap, BlocksMakeTheIntervalOfDependentRoundsWider) {
  Rng rng(5);
  double with = 0, without = 0;
  for (int i = 0; i < 50; ++i) {
    const Attempts all = autoregressive(rng, 3, 64, 0.6);
    const auto a = block_bootstrap_median(all, {.lag1 = 0.6, .replicates = 500});
    const auto b = block_bootstrap_median(all, {.lag1 = 0.0, .replicates = 500});
    with += a->high - a->low;
    without += b->high - b->low;
  }
  EXPECT_GT(with, 1.3 * without);
}

TEST(BlockBootstrap, RefusesWhatItCannotResample) {
  EXPECT_FALSE(block_bootstrap_median(Attempts{}, {}));
  EXPECT_FALSE(block_bootstrap_median(Attempts{{1, 2, 3}}, {}));
  EXPECT_FALSE(block_bootstrap_median(Attempts{{1, 2, 3, std::nan("")}}, {}));
  EXPECT_FALSE(block_bootstrap_median(Attempts{{1, 2, 3, 4}}, {.alpha = 0}));
  const auto point = block_bootstrap_median(Attempts{{2, 2, 2}, {}, {2, 2}}, {});
  ASSERT_TRUE(point);
  EXPECT_EQ(point->low, 2);
  EXPECT_EQ(point->high, 2);
}

TEST(Attempts, KruskalWallisByHand) {
  // Ranks 1..4, 5..8, 9..12 in three attempts of four: H = 12 / (12 * 13) * (10^2 + 26^2 + 42^2) / 4 - 39
  // = 9.846.
  const Attempts all = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
  const auto e = attempt_effect(all, 0.05);
  EXPECT_NEAR(e.p_value, std::exp(-9.846153846153847 / 2), 1e-12);
  EXPECT_DOUBLE_EQ(e.spread, 8);
  // Medians 2.5, 6.5, 10.5: mean 6.5, standard error 4 / sqrt(3), t = 4.3027.
  EXPECT_NEAR(e.low, 6.5 - 4.302652729911275 * 4 / std::sqrt(3.0), 1e-9);
  EXPECT_NEAR(e.high, 6.5 + 4.302652729911275 * 4 / std::sqrt(3.0), 1e-9);
}

TEST(Attempts, AlikeAttemptsAreRarelyCalledDifferent) {
  Rng rng(6);
  int alarms = 0;
  for (int i = 0; i < 3000; ++i) alarms += attempt_effect(autoregressive(rng, 3, 20, 0), 0.05).p_value < 0.01;
  EXPECT_LE(alarms, 48);
}

TEST(Attempts, NothingToCompare) {
  EXPECT_EQ(attempt_effect(Attempts{}, 0.05).p_value, 1);
  EXPECT_EQ(attempt_effect(Attempts{{1, 2, 3}}, 0.05).p_value, 1);
  EXPECT_EQ(attempt_effect(Attempts{{1, 2, 3}}, 0.05).spread, 0);
  EXPECT_EQ(attempt_effect(Attempts{{1, 1}, {1, 1}}, 0.05).p_value, 1);
  EXPECT_EQ(attempt_effect(Attempts{{1, 1}, {}}, 0.05).p_value, 1);
}

}  // namespace
}  // namespace aisp::stats
