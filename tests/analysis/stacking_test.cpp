// SPDX-License-Identifier: Apache-2.0
// Rounds made by hand. 24 rounds and one look at 5 %: 2 P(S <= 6) = 0.023 and 2 P(S <= 7) = 0.064 for 24
// coins, so the interval of a median is from the 7th to the 18th of the sorted values.
#include "aisp/analysis/stacking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace aisp::analysis {
namespace {

using Names = std::vector<std::string>;

constexpr int kRounds = 24;

/// -0.0115 to 0.0115 in steps of 0.001, each once, and neighbours far apart.
double wobble(int round) { return (round * 7 % kRounds - 11.5) * 0.001; }

/// Costs of `ns` in every round, on a machine that is up to twice as slow in some rounds as in others;
/// `share` of the wobble is the subset's own.
MeasuredSubset subset(const std::string& variant, const Names& techniques, double ns, double share = 0) {
  MeasuredSubset made{variant, techniques, {}};
  for (int round = 0; round < kRounds; ++round) {
    const double machine = 1 + round % 5 * 0.25;
    made.costs[{0, round}] = ns * machine * std::exp(-share * wobble(round));
  }
  return made;
}

/// a gains 2 times, b 1.25 times, and together `together` times the product.
std::vector<MeasuredSubset> two(double together, double share = 1) {
  return {subset("base", {}, 100), subset("base+a", {"a"}, 50), subset("base+b", {"b"}, 80),
          subset("base+a+b", {"a", "b"}, 100 / (2 * 1.25 * together), share)};
}

Stacking read(const std::vector<MeasuredSubset>& measured, const Names& techniques = {"a", "b"}) {
  const stats::SequentialPlan plan({kRounds}, 0.05);
  return stacking(techniques, measured, {plan, 0, 0.02});
}

/// The same by another way: no code of the product takes part.
struct ByHand {
  double median, low, high;
};
ByHand by_hand(const std::vector<MeasuredSubset>& m) {
  std::vector<double> ratios;
  for (int round = 0; round < kRounds; ++round) {
    const auto ns = [&](std::size_t i) { return m[i].costs.at({0, round}); };
    ratios.push_back(ns(1) * ns(2) / (ns(3) * ns(0)));
  }
  std::sort(ratios.begin(), ratios.end());
  return {std::sqrt(ratios[11] * ratios[12]), ratios[6], ratios[17]};
}

TEST(Stacking, TheInteractionIsThatOfTheRounds) {
  for (const double together : {1.2, 0.9, 1.0}) {
    const auto measured = two(together);
    const Stacking said = read(measured);
    ASSERT_EQ(said.interactions.size(), 1u);
    const Interaction& pair = said.interactions[0];
    ASSERT_TRUE(pair.ratio);
    const ByHand expected = by_hand(measured);
    EXPECT_NEAR(pair.ratio->ratio, expected.median, 1e-12);
    EXPECT_NEAR(pair.ratio->low, expected.low, 1e-12);
    EXPECT_NEAR(pair.ratio->high, expected.high, 1e-12);
    // On paper: the wobble's median is 0, its 7th value -0.0055 and its 18th 0.0055.
    EXPECT_NEAR(pair.ratio->ratio, together, 1e-12);
    EXPECT_NEAR(pair.ratio->low, together * std::exp(-0.0055), 1e-12);
    EXPECT_NEAR(pair.ratio->high, together * std::exp(0.0055), 1e-12);
    EXPECT_EQ(pair.ratio->rounds, kRounds);
    EXPECT_EQ(pair.ratio->method, "sign");
  }
}

TEST(Stacking, AWordIsSaidOnlyWhereTheIntervalAllowsIt) {
  const auto reading = [](double together, double share = 1) {
    return read(two(together, share)).interactions[0].reading;
  };
  EXPECT_EQ(reading(1.2), "help each other");
  EXPECT_EQ(reading(0.8), "get in the way");
  EXPECT_EQ(reading(1.0), "add up") << "0.9945 to 1.0055 is within 2 %";
  EXPECT_EQ(reading(1.01), "help each other a little") << "1.0045 to 1.0156";
  EXPECT_EQ(reading(0.99), "get in the way a little");
  EXPECT_EQ(reading(1.2, 40), "cannot tell") << "1.2 exp(-0.22) = 0.96: 1 is not excluded";
}

TEST(Stacking, GainsAreOverNoneOfTheTechniquesMostFirst) {
  const Stacking said = read(two(1.2));
  EXPECT_EQ(said.baseline, "base");
  ASSERT_EQ(said.subsets.size(), 3u);
  EXPECT_EQ(said.subsets[0].variant, "base+a+b");
  EXPECT_NEAR(said.subsets[0].gain->ratio, 3, 1e-12);
  EXPECT_NEAR(said.subsets[1].gain->ratio, 2, 1e-12);
  EXPECT_NEAR(said.subsets[2].gain->ratio, 1.25, 1e-12);
  EXPECT_EQ(said.subsets[2].gain->against, "base");
  EXPECT_EQ(said.best, "base+a+b");
  EXPECT_TRUE(said.as_good.empty());
}

// Without a the best is b: a adds 3 / 1.25 = 2.4. Without b it is a: b adds 3 / 2 = 1.5.
TEST(Stacking, WhatOneAddsToTheBestOfTheOthers) {
  const Stacking said = read(two(1.2));
  ASSERT_EQ(said.marginals.size(), 2u);
  EXPECT_EQ(said.marginals[0].technique, "a");
  EXPECT_EQ(said.marginals[0].to, "base+b");
  EXPECT_NEAR(said.marginals[0].gain->ratio, 2.4, 1e-12);
  EXPECT_EQ(said.marginals[1].to, "base+a");
  EXPECT_NEAR(said.marginals[1].gain->ratio, 1.5, 1e-12);
  // Where b alone loses, the best without a is none at all.
  auto other = two(1.2);
  other[2] = subset("base+b", {"b"}, 125);
  const Stacking changed = read(other);
  EXPECT_EQ(changed.marginals[0].to, "base");
  EXPECT_NEAR(changed.marginals[0].gain->ratio, 2, 1e-12);
}

TEST(Stacking, TheBestNamesThoseItIsNotSurelyBetterThan) {
  auto measured = two(1.2);
  measured[3] = subset("base+a+b", {"a", "b"}, 50 / 1.001, 1);  // 2.002 [1.991, 2.013] against 2
  Stacking said = read(measured);
  EXPECT_EQ(said.best, "base+a+b");
  EXPECT_EQ(said.as_good, (Names{"base+a"}));
  EXPECT_EQ(said.interactions[0].reading, "get in the way");
  for (std::size_t i = 1; i < 4; ++i) measured[i] = subset(measured[i].variant, measured[i].techniques, 130);
  said = read(measured);
  EXPECT_EQ(said.best, "base") << "nothing gains";
}

// Three techniques have three pairs; the interaction of two is read with the third switched off.
TEST(Stacking, ThreeTechniques) {
  const std::vector<MeasuredSubset> measured{subset("base", {}, 120),
                                             subset("base+a", {"a"}, 60),
                                             subset("base+b", {"b"}, 60),
                                             subset("base+c", {"c"}, 120),
                                             subset("base+a+b", {"b", "a"}, 20, 1),
                                             subset("base+a+c", {"a", "c"}, 60),
                                             subset("base+b+c", {"b", "c"}, 90),
                                             subset("base+a+b+c", {"a", "b", "c"}, 10)};
  const Stacking said = read(measured, {"a", "b", "c"});
  ASSERT_EQ(said.interactions.size(), 3u);
  EXPECT_NEAR(said.interactions[0].ratio->ratio, 1.5, 1e-12) << "6 over 2 times 2";
  EXPECT_NEAR(said.interactions[1].ratio->ratio, 1, 1e-12) << "2 over 2 times 1";
  EXPECT_EQ(said.interactions[1].reading, "add up");
  EXPECT_NEAR(said.interactions[2].ratio->ratio, 120.0 / 90 / 2, 1e-12);
  EXPECT_EQ(said.interactions[2].reading, "get in the way");
  EXPECT_NEAR(said.marginals[2].gain->ratio, 2, 1e-3) << "c helps once a and b are there";
  EXPECT_EQ(said.marginals[2].to, "base+a+b");
}

TEST(Stacking, OnlyRoundsThatAllHaveCount) {
  auto measured = two(1.2);
  for (const int round : {3, 9}) measured[1].costs.erase({0, round});
  measured[3].costs.erase({0, 5});
  const Stacking said = read(measured);
  EXPECT_EQ(said.interactions[0].ratio->rounds, kRounds - 3);
  EXPECT_EQ(said.marginals[0].gain->rounds, kRounds - 1) << "base+b and base+a+b";
}

TEST(Stacking, WhatWasNotMeasuredIsNamed) {
  auto measured = two(1.2);
  measured.pop_back();
  Stacking said = read(measured);
  EXPECT_EQ(said.needs, "");
  EXPECT_FALSE(said.interactions[0].ratio);
  EXPECT_EQ(said.interactions[0].reading, "cannot tell");
  EXPECT_EQ(said.interactions[0].needs, "a valid measurement of base+a+b");
  EXPECT_EQ(said.marginals[0].needs, "a valid measurement of base+a+b");
  EXPECT_EQ(said.best, "base+a");
  EXPECT_EQ(read({two(1)[1]}).needs, "a valid measurement of the baseline");
  EXPECT_EQ(read({two(1)[0]}).needs, "a valid measurement of a technique");
  EXPECT_EQ(read({}).needs, "a valid measurement of the baseline");
}

TEST(Stacking, TooFewRoundsSayNothing) {
  auto measured = two(1.2);
  for (MeasuredSubset& each : measured)
    std::erase_if(each.costs, [](const auto& entry) { return entry.first.second > 3; });
  const Stacking said = read(measured);
  EXPECT_EQ(said.interactions[0].reading, "cannot tell");
}

}  // namespace
}  // namespace aisp::analysis
