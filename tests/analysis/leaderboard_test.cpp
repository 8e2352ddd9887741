// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/leaderboard.h"

#include <map>

#include <gtest/gtest.h>

#include "tests/analysis/made_up.h"

namespace aisp::analysis {
namespace {

using Names = std::vector<std::string>;

Standing only(const std::vector<Figure>& figures) {
  const std::vector<Standing> all = standings(figures, {});
  EXPECT_EQ(all.size(), 1u);
  return all.at(0);
}

Names order(const Standing& standing) {
  Names names;
  for (const Place& place : standing.places)
    names.push_back((place.rank ? std::to_string(*place.rank) : "-") + (place.tied ? "=" : " ") +
                    place.variant);
  return names;
}

// Gains over 100 ns, 2 % to either side: a 100/50 = 2 [1.96, 2.04]; b 100/51 = 1.961 [1.92, 2.0]; c 100/80 =
// 1.25 [1.225, 1.275]; the baseline 1. b's upper end 2.0 is above a's lower end 1.96: they tie. Both are
// surely better than c, which is third.
TEST(Leaderboard, EqualIntervalsAreTies) {
  const Standing standing = only(contest("n=1", {{"base", 100}, {"a", 50}, {"b", 51}, {"c", 80}}));
  EXPECT_EQ(order(standing), (Names{"1=a", "1=b", "3 c", "4 base"}));
  EXPECT_DOUBLE_EQ(standing.places[0].gain.value, 2);
  EXPECT_DOUBLE_EQ(standing.places[2].gain.low, 1.225);
}

// With 0.1 % to either side a [1.998, 2.002] and b [1.9588, 1.9627] are apart.
TEST(Leaderboard, TighterIntervalsDecide) {
  EXPECT_EQ(order(only(contest("n=1", {{"base", 100}, {"a", 50}, {"b", 51}}, 0.001))),
            (Names{"1 a", "2 b", "3 base"}));
}

TEST(Leaderboard, OtherDataGiveAnotherOrder) {
  EXPECT_EQ(order(only(contest("n=1", {{"base", 100}, {"a", 90}, {"b", 40}}))),
            (Names{"1 b", "2 a", "3 base"}));
  EXPECT_EQ(order(only(contest("n=1", {{"base", 100}, {"a", 200}}))), (Names{"1 base", "2 a"}));
}

TEST(Leaderboard, OnlyValidStepsRank) {
  auto figures = contest("n=1", {{"base", 100}, {"a", 50}, {"b", 40}, {"c", 30}, {"lib", 20}});
  figures[1].validity = Validity::unproven;
  figures[2].rung = Rung::informational;
  figures[4].rung = Rung::anchor;
  const Standing standing = only(figures);
  EXPECT_EQ(order(standing), (Names{"- lib", "1 c", "2 base"})) << "the anchor is shown and has no rank";
  ASSERT_EQ(standing.left_out.size(), 2u);
  EXPECT_EQ(standing.left_out[0].why, "it is unproven");
  EXPECT_EQ(standing.left_out[1].why, "it is informational");
}

TEST(Leaderboard, NothingIsRankedWithoutAValidBaseline) {
  auto figures = contest("n=1", {{"base", 100}, {"a", 50}});
  figures[0].validity = Validity::invalid;
  const Standing standing = only(figures);
  EXPECT_TRUE(standing.places.empty());
  EXPECT_EQ(standing.needs, "a valid baseline beside valid variants");
  figures[1].validity = Validity::failed;
  EXPECT_EQ(only(figures).needs, "a valid result");
}

TEST(Leaderboard, WhatWasComparedWithSomethingElseIsLeftOut) {
  auto figures = contest("n=1", {{"base", 100}, {"a", 50}, {"b", 40}, {"c", 30}});
  figures[1].against = "older";
  figures[2].gain->high = HUGE_VAL;
  figures[3].gain.reset();
  const Standing standing = only(figures);
  EXPECT_EQ(order(standing), (Names{"1 base"}));
  ASSERT_EQ(standing.left_out.size(), 3u);
  EXPECT_EQ(standing.left_out[0].why, "it was compared with 'older', not with 'base'");
  EXPECT_EQ(standing.left_out[1].why, "its gain has no interval");
}

TEST(Leaderboard, ContestsAreKeptApart) {
  const auto one = contest("n=1", {{"base", 100}, {"a", 50}});
  for (const auto& change : std::vector<void (*)(Figure&)>{
           [](Figure& f) { f.parameters = "n=2"; }, [](Figure& f) { f.hardware = "other"; },
           [](Figure& f) { f.device = "cuda:1"; }, [](Figure& f) { f.cache = CacheMode::cold; },
           [](Figure& f) { f.workload = "ch07/copy"; }}) {
    auto other = one;
    for (Figure& figure : other) change(figure);
    EXPECT_EQ(standings(joined(one, other), {}).size(), 2u);
    // The order in which they come does not matter.
    std::vector<Figure> mixed{one[0], other[0], one[1], other[1]};
    EXPECT_EQ(standings(mixed, {}).size(), 2u);
  }
}

// Three in one contest, a 12 [11, 13], b 8.7 [8.2, 9.0], c 8.5 [5, 13]: c shares the first rank and
// stands there, before b, whose value is larger. The anchor at 8.6 stands before the first it is better than.
TEST(Leaderboard, RanksNeverDecreaseDownATable) {
  auto figures = contest("n=1", {{"base", 9}, {"a", 1}, {"b", 1}, {"c", 1}, {"lib", 1}});
  figures[1].gain = Estimate{12, 11, 13};
  figures[2].gain = Estimate{8.7, 8.2, 9.0};
  figures[3].gain = Estimate{8.5, 5, 13};
  figures[4].gain = Estimate{8.6, 8.5, 8.7};
  figures[4].rung = Rung::anchor;
  EXPECT_EQ(order(only(figures)), (Names{"1=a", "- lib", "1=c", "2 b", "4 base"}));
}

/// Ratios of pairs by hand, "ab" of a over b; what is not given is not known.
PairOf pairs(const std::map<std::string, Estimate>& known) {
  return [known](const Place& a, const Place& b) -> std::optional<Estimate> {
    const auto found = known.find(a.variant + b.variant);
    return found == known.end() ? std::nullopt : std::optional(found->second);
  };
}

// Gains of a 2 [1.96, 2.04] and b 1.961 [1.92, 2.0] overlap; in the same rounds a is 1.02 [1.01, 1.03] of b.
TEST(Leaderboard, TheRoundsOfOneCellDecideWhatItsGainsDoNot) {
  const auto figures = contest("n=1", {{"base", 100}, {"a", 50}, {"b", 51}});
  Standing standing = only(figures);
  ASSERT_EQ(order(standing), (Names{"1=a", "1=b", "3 base"}));
  decide_by_pairs(standing, pairs({{"ab", {1.02, 1.01, 1.03}}, {"ba", {0.98, 0.97, 0.99}}}));
  EXPECT_EQ(order(standing), (Names{"1 a", "2 b", "3 base"}));
  decide_by_pairs(standing, pairs({{"ab", {1.02, 0.99, 1.03}}, {"ba", {0.98, 0.97, 1.01}}}));
  EXPECT_EQ(order(standing), (Names{"1=a", "1=b", "3 base"})) << "nor do they";
  auto apart = figures;
  apart[2].seq = 2;
  standing = only(apart);
  decide_by_pairs(standing, pairs({{"ab", {1.02, 1.01, 1.03}}}));
  EXPECT_EQ(order(standing), (Names{"1=a", "1=b", "3 base"})) << "of two runs: they share no rounds";
}

// c beats a and a beats b, so c beats b, of which its own rounds cannot tell. In a circle nobody beats
// anybody.
TEST(Leaderboard, OfEqualRanksNoneIsSurelyBetter) {
  Standing standing = only(contest("n=1", {{"base", 100}, {"a", 50}, {"b", 50}, {"c", 50}}));
  const Estimate more{1.1, 1.05, 1.2}, less{0.9, 0.8, 0.95}, same{1, 0.9, 1.1};
  decide_by_pairs(
      standing, pairs({{"ca", more}, {"ac", less}, {"ab", more}, {"ba", less}, {"cb", same}, {"bc", same}}));
  EXPECT_EQ(order(standing), (Names{"1 c", "2 a", "3 b", "4 base"}));
  decide_by_pairs(
      standing, pairs({{"ca", more}, {"ac", less}, {"ab", more}, {"ba", less}, {"bc", more}, {"cb", less}}));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(standing.places[static_cast<std::size_t>(i)].rank, 1);
}

TEST(Leaderboard, NothingIsMadeOfNothing) { EXPECT_TRUE(standings({}, {}).empty()); }

}  // namespace
}  // namespace aisp::analysis
