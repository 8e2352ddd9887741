// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/scaling.h"

#include <cmath>

#include <gtest/gtest.h>

#include "aisp/analysis/team_scaling.h"
#include "tests/analysis/made_up.h"

namespace aisp::analysis {
namespace {

/// One variant with these times at sizes n.
std::vector<Figure> over_n(const std::vector<std::pair<int, double>>& times, double share = 0.02) {
  std::vector<Figure> figures;
  for (const auto& [n, ns] : times)
    figures = joined(figures, contest("n=" + std::to_string(n), {{"base", ns}}, share));
  return figures;
}

// Times n^3 / 100 exactly: the exponent is 3, nothing is left over, and the interval is that of the points:
// h = -log 0.98 = 0.0202027 to either side, u = log n = mean -+ log 2, 0: weights -+ 1 / (2 log 2), 0. half =
// 0.0202027 * sqrt(2) / (2 * 0.693147) = 0.0206096.
TEST(Scaling, FindsTheExponent) {
  auto figures = over_n({{10, 10}, {20, 80}, {40, 640}});
  const auto all = size_scaling(figures);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].axis, "n");
  EXPECT_NEAR(all[0].exponent->value, 3, 1e-9);
  EXPECT_NEAR(all[0].exponent->low, 3 - 0.0206096, 1e-6);
  EXPECT_NEAR(all[0].exponent->high, 3 + 0.0206096, 1e-6);
  EXPECT_EQ(all[0].needs, "five measured sizes for a knee");
  figures[1].time_ns = about(80, 0.5);
  EXPECT_NEAR(size_scaling(figures).at(0).exponent->high, 3 + 0.0206096, 1e-6) << "the middle has no weight";
  // h = log 2 at the last: sqrt(0.0202027^2 + 0.693147^2) / (2 * 0.693147) = 0.500212.
  figures[2].time_ns = about(640, 0.5);
  EXPECT_NEAR(size_scaling(figures).at(0).exponent->high, 3.500212, 1e-6);
  figures[2].time_ns->high = HUGE_VAL;
  EXPECT_FALSE(size_scaling(figures).at(0).exponent);
  EXPECT_EQ(size_scaling(figures).at(0).needs, "times with intervals");
}

// u = log2 n = 0, 1, 2, 3 and v = log2 t = 0, 1.2, 1.8, 3 (t = 1, 2.2974, 3.4822, 8): mean u = 1.5, mean v
// = 1.5. uu = 5, uv = 2.25 + 0.15 + 0.15 + 2.25 = 4.8, so the exponent is 0.96. Residuals: -0.06, 0.18,
// -0.18, 0.06; their squares sum to 0.072. With 2 degrees of freedom t = 4.30265: half = 4.30265 * sqrt(0.036
// / 5) = 0.365089. Points known to 2 %, h = -log2 0.98 = 0.0291463, add h / sqrt(5) = 0.0130346:
// sqrt(0.365089^2 + 0.0130346^2) = 0.365322.
TEST(Scaling, TheIntervalIsStudentsAndThePoints) {
  const std::vector<std::pair<int, double>> times{{1, 1}, {2, 2.2973967}, {4, 3.4822022}, {8, 8}};
  for (const auto& [share, half] : {std::pair{0.0, 0.365089}, {0.02, 0.365322}}) {
    const auto figures = over_n(times, share);
    const Estimate exponent = *size_scaling(figures).at(0).exponent;
    EXPECT_NEAR(exponent.value, 0.96, 1e-6);
    EXPECT_NEAR(exponent.low, 0.96 - half, 1e-5);
    EXPECT_NEAR(exponent.high, 0.96 + half, 1e-5);
  }
}

// 100 n up to 8, then 100 / 8 n^2 beyond: exponents 1 and 2, the knee at 8.
TEST(Scaling, FindsAKnee) {
  const auto figures = over_n({{1, 100}, {2, 201}, {4, 399}, {8, 800}, {16, 3210}, {32, 12800}, {64, 51100}});
  const auto knee = size_scaling(figures).at(0).knee;
  ASSERT_TRUE(knee);
  EXPECT_EQ(knee->at, 8);
  EXPECT_NEAR(knee->before, 1, 0.02);
  EXPECT_NEAR(knee->after, 2, 0.02);
  EXPECT_GT(knee->confidence, 0.95);
}

// Exponent 1 up to 4 and 2 beyond, and `off` times what neither a line nor a bend at 4 takes up: with u =
// log2 n = 0..4 and v = log2 t, (1, -2, 2, -2, 1) sums to 0, also with the weights u and with max(0, u - 2).
std::vector<Figure> bent_at_4(double off) {
  const double v[] = {0 + off, 1 - 2 * off, 2 + 2 * off, 4 - 2 * off, 6 + off};
  return over_n({{1, std::exp2(v[0])},
                 {2, std::exp2(v[1])},
                 {4, std::exp2(v[2])},
                 {8, std::exp2(v[3])},
                 {16, std::exp2(v[4])}});
}

// Without `off` the line through v = 0, 1, 2, 4, 6 has the slope 15 / 10 and leaves squares of 23.2 - 15^2 /
// 10 = 0.7; the bend leaves none. `off` leaves 14 off^2 more of both, so that t^2 = 0.7 / (14 off^2 / 2) =
// 0.1 / off^2 with 2 degrees of freedom, for which Student's two-sided p is 1 - t / sqrt(t^2 + 2). A bend was
// tried at three places:
// off 0.02: t^2 = 250,  3 (1 - sqrt(250 / 252))   = 0.0119285;
// off 0.04: t^2 = 62.5, 3 (1 - sqrt(62.5 / 64.5)) = 0.0468779;
// off 0.05: t^2 = 40,   3 (1 - sqrt(40 / 42))     = 0.0722998, where one try would have had 0.0241.
TEST(Scaling, TheConfidenceOfAKneeIsStudentsForAsManyTries) {
  for (const auto& [off, p] : {std::pair{0.02, 0.0119285}, {0.04, 0.0468779}}) {
    const auto knee = size_scaling(bent_at_4(off)).at(0).knee;
    ASSERT_TRUE(knee) << off;
    EXPECT_EQ(knee->at, 4);
    EXPECT_NEAR(knee->before, 1, 1e-9);
    EXPECT_NEAR(knee->after, 2, 1e-9);
    EXPECT_NEAR(knee->confidence, 1 - p, 1e-6) << off;
  }
  EXPECT_FALSE(size_scaling(bent_at_4(0.05)).at(0).knee);
}

TEST(Scaling, FindsNoKneeInAStraightLine) {
  EXPECT_FALSE(
      size_scaling(over_n({{1, 100}, {2, 203}, {4, 398}, {8, 805}, {16, 1590}, {32, 3210}})).at(0).knee);
  EXPECT_FALSE(size_scaling(over_n({{1, 1}, {2, 2}, {4, 4}, {8, 8}, {16, 16}})).at(0).knee) << "exact";
  EXPECT_FALSE(size_scaling(over_n({{1, 1}, {2, 2}, {4, 4}, {8, 16}})).at(0).knee)
      << "four sizes are too few";
}

TEST(Scaling, NeedsSizes) {
  EXPECT_TRUE(size_scaling(over_n({{1, 1}})).empty());
  const auto two = size_scaling(over_n({{1, 1}, {2, 2}}));
  ASSERT_EQ(two.size(), 1u);
  EXPECT_FALSE(two[0].exponent);
  EXPECT_EQ(two[0].needs, "three measured sizes");
  auto invalid = over_n({{1, 1}, {2, 2}, {4, 4}});
  invalid[1].validity = Validity::invalid;
  EXPECT_EQ(size_scaling(invalid).at(0).points.size(), 2u);
}

TEST(Scaling, OtherParametersStay) {
  std::vector<Figure> figures;
  for (const char* size : {"n=1 threads=1", "n=2 threads=1", "n=1 threads=2", "n=2 threads=2"})
    figures = joined(figures, contest(size, {{"base", 100}}));
  const auto all = size_scaling(figures);
  ASSERT_EQ(all.size(), 2u) << "threads are read by team_scaling()";
  EXPECT_EQ(all[0].where.parameters, "threads=1");
}

/// Times for teams of 1, 2, 4 with this much work each.
std::vector<Figure> teams(const std::vector<std::pair<int, double>>& times, double items_each = 0) {
  std::vector<Figure> figures;
  for (const auto& [p, ns] : times) {
    const std::string n = items_each > 0 ? std::to_string(static_cast<int>(p * items_each)) : "64";
    auto at = contest("n=" + n + " threads=" + std::to_string(p), {{"base", ns}}, 0);
    for (Figure& figure : at) figure.items = items_each > 0 ? p * items_each : 64;
    figures = joined(figures, at);
  }
  return figures;
}

// A serial share of 0.1: 1000 * (0.1 + 0.9/p) = 1000, 550, 325. The limit is 10.
TEST(TeamScaling, ReadsAmdahl) {
  const auto all = team_scaling(teams({{1, 1000}, {2, 550}, {4, 325}}));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].law, "Amdahl");
  EXPECT_NEAR(all[0].serial->value, 0.1, 1e-9);
  EXPECT_NEAR(all[0].serial->low, 0.1, 1e-9);
  EXPECT_NEAR(all[0].limit->value, 10, 1e-6);
  EXPECT_NEAR(all[0].points[2].speedup.value, 1000.0 / 325, 1e-9);
  EXPECT_NEAR(all[0].points[2].efficiency, 1000.0 / 325 / 4, 1e-9);
}

// 2 % to either side: 990 is no other time than 1000, and a share read from it would be one of noise.
TEST(TeamScaling, TimesThatAreNotSurelyDifferentHaveNoLaw) {
  auto figures = teams({{1, 1000}, {2, 990}, {4, 1010}});
  for (Figure& figure : figures) figure.time_ns = about(figure.time_ns->value, 0.02);
  const auto all = team_scaling(figures);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].points.size(), 3u);
  EXPECT_FALSE(all[0].serial);
  EXPECT_FALSE(all[0].limit);
  EXPECT_EQ(all[0].needs, "times with more threads that surely differ from those with one");
  figures.back().time_ns = about(900, 0.02);
  EXPECT_TRUE(team_scaling(figures).at(0).serial) << "one of the teams is surely faster";
}

// p=2: S = 1000/600 = 5/3, (0.6 - 0.5)/0.5 = 0.2; p=4: S = 1000/325, (0.325 - 0.25)/0.75 = 0.1. Middle 0.15.
TEST(TeamScaling, TheRangeOfTheSharesIsTheInterval) {
  const auto all = team_scaling(teams({{1, 1000}, {2, 600}, {4, 325}}));
  EXPECT_NEAR(all.at(0).serial->value, 0.15, 1e-9);
  EXPECT_NEAR(all.at(0).serial->low, 0.1, 1e-9);
  EXPECT_NEAR(all.at(0).serial->high, 0.2, 1e-9);
}

// Work grows with the team, times 100, 110, 130: scaled speed-ups 2 * 100/110 = 1.81818 and 4 * 100/130
// = 3.07692; shares (2 - 1.81818)/1 = 0.181818 and (4 - 3.07692)/3 = 0.307692. Middle 0.244755.
TEST(TeamScaling, ReadsGustafsonWhereTheWorkGrows) {
  const auto all = team_scaling(teams({{1, 100}, {2, 110}, {4, 130}}, 16));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].law, "Gustafson");
  EXPECT_NEAR(all[0].points[1].speedup.value, 1.818182, 1e-6);
  EXPECT_NEAR(all[0].serial->value, 0.244755, 1e-6);
  EXPECT_FALSE(all[0].limit);
}

/// Every size with every team, and each in as many block sizes; 100 ns for 16 items of one member.
std::vector<Figure> grid(const std::vector<int>& sizes, const std::vector<int>& members,
                         const std::vector<int>& blocks) {
  std::vector<Figure> figures;
  for (const int n : sizes) {
    for (const int p : members) {
      for (const int block : blocks) {
        auto at = contest(
            "n=" + std::to_string(n) + " threads=" + std::to_string(p) + " block=" + std::to_string(block),
            {{"base", 100.0 / 16 * n / p * block}}, 0);
        for (Figure& figure : at) figure.items = n;
        figures = joined(figures, at);
      }
    }
  }
  return figures;
}

std::vector<TeamScaling> gustafson(const std::vector<Figure>& figures) {
  auto all = team_scaling(figures);
  std::erase_if(all, [](const TeamScaling& each) { return each.law != "Gustafson"; });
  return all;
}

// n = 16, 32, 64 by teams of 1, 2, 4: 16 items each at (16, 1), (32, 2), (64, 4), and 32 each at (32, 1) and
// (64, 2). 8 each at (16, 2) and (32, 4) lacks a team of one.
TEST(TeamScaling, OneVariantHasALineForEachWorkPerMember) {
  const auto figures = grid({16, 32, 64}, {1, 2, 4}, {1});
  const auto all = gustafson(figures);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].work_per_member, 8);
  EXPECT_EQ(all[0].needs, "a measurement with threads=1");
  EXPECT_EQ(all[1].work_per_member, 16);
  EXPECT_EQ(all[1].work_unit, "items");
  EXPECT_EQ(all[1].points.size(), 3u);
  EXPECT_EQ(all[2].work_per_member, 32);
  EXPECT_EQ(all[2].points.size(), 2u);
  for (const TeamScaling& each : all) EXPECT_EQ(each.where.parameters, "block=1");
  EXPECT_FALSE(team_scaling(figures).at(0).work_per_member) << "Amdahl: the problem stays";
}

// The time of a block of 3 is three times that of a block of 1; each scales perfectly by itself.
TEST(TeamScaling, WhatDoesNotGrowIsNotMixed) {
  const auto all = gustafson(grid({16, 32}, {1, 2}, {1, 3}));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].where.parameters, "block=1");
  EXPECT_EQ(all[1].where.parameters, "block=3");
  for (const TeamScaling& each : all) {
    EXPECT_EQ(each.points.size(), 2u);
    EXPECT_NEAR(each.serial->value, 0, 1e-9) << each.where.parameters;
  }
  auto apart = grid({16}, {1}, {1});
  apart = joined(apart, grid({32}, {2}, {3}));
  EXPECT_TRUE(gustafson(apart).empty()) << "the size and the block differ: two problems";
}

// Each rank brings 16 items: the work grows with the team though no parameter does.
TEST(TeamScaling, WorkMayGrowWithTheTeamAlone) {
  std::vector<Figure> figures;
  for (const int p : {1, 2}) {
    auto at = contest("n=16 ranks=" + std::to_string(p), {{"base", 100}}, 0);
    for (Figure& figure : at) figure.items = 16 * p;
    figures = joined(figures, at);
  }
  const auto all = team_scaling(figures);
  ASSERT_EQ(all.size(), 1u) << "no Amdahl, who would call the same time a serial share of 1";
  EXPECT_EQ(all[0].law, "Gustafson");
  EXPECT_EQ(all[0].where.parameters, "n=16");
  EXPECT_EQ(all[0].work_per_member, 16);
  EXPECT_NEAR(all[0].serial->value, 0, 1e-9);
}

TEST(TeamScaling, NeedsATeamOfOne) {
  const auto all = team_scaling(teams({{2, 600}, {4, 325}}));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].needs, "a measurement with threads=1");
  EXPECT_FALSE(all[0].serial);
}

TEST(TeamScaling, ATeamBetterThanItsNumberHasNoLimit) {
  const auto all = team_scaling(teams({{1, 1000}, {2, 400}}));
  EXPECT_LT(all.at(0).serial->value, 0);
  EXPECT_FALSE(all.at(0).limit);
  EXPECT_FALSE(team_scaling(teams({{1, 1000}, {2, 1100}})).at(0).limit) << "nor has one that only costs";
}

}  // namespace
}  // namespace aisp::analysis
