// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "aisp/core/rng.h"
#include "aisp/stats/summary.h"

namespace aisp::stats {
namespace {

const SequentialPlan plan({12, 24, 48, 96, 192}, 0.05);

PairedRounds noisy(std::uint64_t seed, int per_attempt, double centre, double sigma, double rho = 0) {
  Rng rng(seed);
  PairedRounds rounds;
  for (int a = 0; a < 3; ++a) {
    std::vector<double> attempt;
    double state = rng.normal();
    for (int i = 0; i < per_attempt; ++i) {
      attempt.push_back(centre + sigma * state);
      state = rho * state + std::sqrt(1 - rho * rho) * rng.normal();
    }
    rounds.log_ratios_by_attempt.push_back(attempt);
  }
  return rounds;
}

std::vector<double> pooled(const PairedRounds& rounds) {
  std::vector<double> all;
  for (const auto& a : rounds.log_ratios_by_attempt) all.insert(all.end(), a.begin(), a.end());
  return all;
}

TEST(Compare, PlainRoundsGetTheSequentialSignInterval) {
  int plain = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const PairedRounds rounds = noisy(seed, 16, std::log(1.10), 0.01);
    const Comparison c = compare(rounds, plan, 2, 0.02);
    EXPECT_EQ(c.rounds, 48);
    EXPECT_DOUBLE_EQ(c.confidence, 0.95);
    EXPECT_DOUBLE_EQ(c.ratio, std::exp(median(pooled(rounds))));
    EXPECT_EQ(c.decision.outcome, Outcome::faster);
    EXPECT_GT(c.attempt_spread, 0);
    if (c.method != "sign") continue;
    ++plain;
    const auto sign = plan.interval(2, pooled(rounds));
    EXPECT_DOUBLE_EQ(c.low, std::exp(sign->low));
    EXPECT_DOUBLE_EQ(c.high, std::exp(sign->high));
  }
  // 5 % look autocorrelated and 1 % look as if attempts differed, by chance.
  EXPECT_GE(plain, 85);
}

TEST(Compare, SwappingTheSidesInvertsTheAnswer) {
  PairedRounds rounds = noisy(2, 16, std::log(1.05), 0.02);
  const Comparison c = compare(rounds, plan, 2, 0.02);
  for (auto& a : rounds.log_ratios_by_attempt) std::for_each(a.begin(), a.end(), [](double& v) { v = -v; });
  const Comparison swapped = compare(rounds, plan, 2, 0.02);
  EXPECT_NEAR(c.ratio * swapped.ratio, 1, 1e-12);
  EXPECT_NEAR(c.low * swapped.high, 1, 1e-12);
  EXPECT_NEAR(c.high * swapped.low, 1, 1e-12);
  EXPECT_EQ(swapped.decision.outcome, Outcome::slower);
}

TEST(Compare, AutocorrelatedRoundsAreWidenedByBlocksAndNeverNarrowed) {
  int widened = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const PairedRounds rounds = noisy(seed, 64, 0, 0.02, 0.6);
    const Comparison c = compare(rounds, plan, 4, 0.02);
    const auto sign = plan.interval(4, pooled(rounds));
    EXPECT_NE(c.method, "sign");
    EXPECT_GT(c.autocorrelation, 0.2);
    EXPECT_LE(c.low, std::exp(sign->low));
    EXPECT_GE(c.high, std::exp(sign->high));
    widened += std::log(c.high / c.low) > 1.2 * (sign->high - sign->low);
  }
  EXPECT_GE(widened, 18);
}

TEST(Compare, TooFewRoundsOfStrongDependenceKnowNothing) {
  const std::vector<double> ramp = {0.50, 0.51, 0.52, 0.53, 0.54, 0.55, 0.56, 0.57};
  const Comparison c = compare({{ramp, ramp, ramp}}, plan, 1, 0.02);
  EXPECT_GT(c.autocorrelation, 0.5);
  EXPECT_EQ(c.method, "block bootstrap");
  EXPECT_TRUE(std::isinf(c.high));
  EXPECT_EQ(c.decision.outcome, Outcome::inconclusive);
}

TEST(Compare, IsDeterministic) {
  const PairedRounds rounds = noisy(3, 64, 0, 0.02, 0.6);
  const Comparison a = compare(rounds, plan, 4, 0.02), b = compare(rounds, plan, 4, 0.02);
  EXPECT_EQ(a.low, b.low);
  EXPECT_EQ(a.high, b.high);
}

TEST(Compare, AttemptsThatDifferWidenTheIntervalOverTheirMedians) {
  PairedRounds rounds = noisy(4, 32, std::log(1.02), 0.003);
  for (double& v : rounds.log_ratios_by_attempt[2]) v += 0.04;
  const Comparison c = compare(rounds, plan, 3, 0.02);
  EXPECT_EQ(c.method, "attempts differ");
  EXPECT_LT(c.attempt_p_value, 0.01);
  EXPECT_NEAR(c.attempt_spread, 0.04, 0.005);
  for (const auto& a : rounds.log_ratios_by_attempt) {
    EXPECT_LE(c.low, std::exp(median(a)));
    EXPECT_GE(c.high, std::exp(median(a)));
  }
  // Two processes say 2 % and one says 6 %: three processes cannot exclude that the next says 0.
  EXPECT_EQ(c.decision.outcome, Outcome::inconclusive);
}

TEST(Compare, AttemptsThatDifferALittleStillShowALargeGain) {
  PairedRounds rounds = noisy(5, 32, std::log(2.0), 0.003);
  for (double& v : rounds.log_ratios_by_attempt[2]) v += 0.02;
  const Comparison c = compare(rounds, plan, 3, 0.02);
  EXPECT_EQ(c.method, "attempts differ");
  EXPECT_EQ(c.decision.outcome, Outcome::faster);
}

TEST(Compare, TooFewRoundsKnowNothing) {
  for (const PairedRounds& rounds : {PairedRounds{}, PairedRounds{{{}, {}}}, PairedRounds{{{0.1}}},
                                     PairedRounds{{{0.1, 0.1}}}, PairedRounds{{{0.1}, {0.1}, {0.1}}}}) {
    const Comparison c = compare(rounds, plan, 0, 0.02);
    EXPECT_EQ(c.low, 0);
    EXPECT_TRUE(std::isinf(c.high));
    EXPECT_EQ(c.decision.outcome, Outcome::inconclusive);
  }
  EXPECT_TRUE(std::isnan(compare({}, plan, 0, 0.02).ratio));
}

TEST(Compare, ARoundWithoutAUsableTimeMakesTheAnswerUnknown) {
  for (double bad :
       {std::nan(""), std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
    PairedRounds rounds = noisy(6, 16, 0.5, 0.01);
    rounds.log_ratios_by_attempt[1][3] = bad;
    const Comparison c = compare(rounds, plan, 2, 0.02);
    EXPECT_EQ(c.low, 0);
    EXPECT_TRUE(std::isinf(c.high));
    EXPECT_EQ(c.decision.outcome, Outcome::inconclusive);
    EXPECT_EQ(c.rounds, 48);
  }
}

TEST(Compare, EqualRoundsAreAPoint) {
  const PairedRounds rounds{
      {std::vector<double>(8, 0.0), std::vector<double>(8, 0.0), std::vector<double>(8, 0.0)}};
  const Comparison c = compare(rounds, plan, 1, 0.02);
  EXPECT_EQ(c.low, 1);
  EXPECT_EQ(c.high, 1);
  EXPECT_EQ(c.method, "sign");
  EXPECT_EQ(c.decision.outcome, Outcome::equivalent);
}

}  // namespace
}  // namespace aisp::stats
