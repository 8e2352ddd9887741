// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/shape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "aisp/core/rng.h"

namespace aisp::stats {
namespace {

template <class Draw>
std::vector<double> series(int n, Draw draw) {
  std::vector<double> x;
  for (int i = 0; i < n; ++i) x.push_back(draw(i));
  return x;
}

TEST(Bimodality, FindsTwoModesAndSaysWhereTheyAre) {
  Rng rng(1);
  int found = 0;
  for (int i = 0; i < 200; ++i) {
    const auto b =
        bimodality(series(96, [&](int) { return (rng.unit() < 0.3 ? 1.10 : 1.0) + 0.015 * rng.normal(); }));
    found += b.bimodal;
    EXPECT_NEAR(b.low, 1.0, 0.02);
    EXPECT_NEAR(b.high, 1.1, 0.03);
    EXPECT_NEAR(b.high_share, 0.3, 0.2);
  }
  EXPECT_GE(found, 170);  // 91 % of such samples have a dip that one mode shows once in twenty
}

TEST(Bimodality, RarelyCallsOneModeTwo) {
  Rng rng(2);
  int uniform = 0, normal = 0, skewed = 0, coarse = 0;
  for (int i = 0; i < 1000; ++i) {
    uniform += bimodality(series(64, [&](int) { return 1 + 0.1 * rng.unit(); })).bimodal;
    normal += bimodality(series(64, [&](int) { return 1 + 0.02 * rng.normal(); })).bimodal;
    skewed += bimodality(series(64, [&](int) { return 1 + 0.02 * std::exp(rng.normal()); })).bimodal;
    // A clock that ticks every 0.3 % of the time measured.
    coarse += bimodality(series(64, [&](int) {
                return 0.003 * std::round((1 + 0.01 * rng.normal()) / 0.003);
              })).bimodal;
  }
  EXPECT_LE(uniform, 75);  // 50 expected, the standard deviation is 7
  EXPECT_LE(normal, 15);
  EXPECT_LE(skewed, 5);  // the sharper the peak, the rarer
  EXPECT_LE(coarse, 30);
}

TEST(Bimodality, TwoExactValuesFarApartAreTwoModes) {
  const auto b = bimodality(series(40, [](int i) { return i % 2 == 0 ? 1.0 : 1.2; }));
  EXPECT_TRUE(b.bimodal);
  EXPECT_NEAR(b.low, 1.0, 1e-12);
  EXPECT_NEAR(b.high, 1.2, 1e-12);
  EXPECT_DOUBLE_EQ(b.high_share, 0.5);
}

TEST(Bimodality, TooLittleToSay) {
  EXPECT_FALSE(bimodality({}).bimodal);
  EXPECT_FALSE(bimodality(std::vector<double>{1, 1, 9, 9}).bimodal);
  EXPECT_FALSE(bimodality(std::vector<double>(50, 4.0)).bimodal);
  EXPECT_FALSE(bimodality(std::vector<double>(50, std::nan(""))).bimodal);
  EXPECT_EQ(bimodality(std::vector<double>(50, std::numeric_limits<double>::infinity())).p_value, 1);
  EXPECT_FALSE(bimodality(std::vector<double>(50, 0.0)).bimodal);
}

TEST(Drift, FindsASlopeAndItsSize) {
  Rng rng(3);
  const auto up = drift(series(100, [&](int i) { return 1 + 0.0005 * i + 0.005 * rng.normal(); }));
  EXPECT_TRUE(up.drifting);
  EXPECT_GT(up.correlation, 0.8);
  EXPECT_NEAR(up.change, 0.045, 0.01);
  const auto down = drift(series(100, [&](int i) { return 1 - 0.0005 * i + 0.005 * rng.normal(); }));
  EXPECT_TRUE(down.drifting);
  EXPECT_NEAR(down.change, -0.045, 0.01);
}

TEST(Drift, ByHand) {
  // Ranks 2 1 4 3 6 5 against 1..6: sum of squared differences 6, r = 1 - 6 * 6 / (6 * 35).
  const auto d = drift(std::vector<double>{20, 10, 40, 30, 60, 50});
  EXPECT_NEAR(d.correlation, 1 - 36.0 / 210, 1e-12);
  EXPECT_DOUBLE_EQ(d.change, 50.0 / 20 - 1);
  const auto perfect = drift(std::vector<double>{1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(perfect.correlation, 1);
  EXPECT_NEAR(perfect.p_value, 0, 1e-12);
}

TEST(Drift, RarelyCalledOnSteadyNoise) {
  Rng rng(4);
  int called = 0;
  for (int i = 0; i < 2000; ++i)
    called += drift(series(40, [&](int) { return std::exp(rng.normal()); })).drifting;
  EXPECT_LE(called, 36);
}

TEST(Drift, TooLittleToSay) {
  EXPECT_EQ(drift({}).p_value, 1);
  EXPECT_EQ(drift(std::vector<double>{1, 2, 3}).p_value, 1);
  EXPECT_FALSE(drift(std::vector<double>(30, 2.0)).drifting);
  EXPECT_EQ(drift(std::vector<double>{1, 2, 3, 4, 5, 6, std::nan("")}).p_value, 1);
}

}  // namespace
}  // namespace aisp::stats
