// SPDX-License-Identifier: Apache-2.0
// The largest gains over all contests: only proven ones, of every goal, ranked together.
#include <gtest/gtest.h>

#include "aisp/analysis/leaderboard.h"
#include "tests/analysis/made_up.h"

namespace aisp::analysis {
namespace {

using Names = std::vector<std::string>;

/// A baseline and one variant with this gain.
std::vector<Figure> gaining(const std::string& parameters, const Estimate& gain) {
  auto figures = contest(parameters, {{"base", 9}, {"a", 1}});
  figures[1].gain = gain;
  return figures;
}

Names order(const std::vector<Leader>& leaders) {
  Names names;
  for (const Leader& leader : leaders)
    names.push_back(std::to_string(leader.rank) + (leader.tied ? "=" : " ") + leader.where.parameters + " " +
                    leader.place.variant);
  return names;
}

// Best gains: n=1 2 [1.96, 2.04], n=2 2.01 [1.9698, 2.0502], n=3 4 [3.92, 4.08].
TEST(Leaders, AreRankedOverAllContests) {
  auto figures = contest("n=1", {{"base", 100}, {"a", 50}});
  figures = joined(figures, contest("n=2", {{"base", 201}, {"a", 100}}));
  figures = joined(figures, contest("n=3", {{"base", 400}, {"a", 100}, {"b", 399}}));
  EXPECT_EQ(order(leaders(standings(figures, {}), 10)), (Names{"1 n=3 a", "2=n=2 a", "2=n=1 a"}));
  EXPECT_EQ(order(leaders(standings(figures, {}), 1)), (Names{"1 n=3 a"}));
}

// n=1 8.5 [5, 13], n=2 8.7 [8.2, 9.0], n=3 12 [11, 13]: n=1 ties with the best, n=2 is surely beaten by it.
TEST(Leaders, AWideIntervalRanksBeforeALargerValueThatIsBeaten) {
  const auto figures = joined(joined(gaining("n=1", {8.5, 5, 13}), gaining("n=2", {8.7, 8.2, 9.0})),
                              gaining("n=3", {12, 11, 13}));
  EXPECT_EQ(order(leaders(standings(figures, {}), 10)), (Names{"1=n=3 a", "1=n=1 a", "2 n=2 a"}));
}

// 4.8 [0.18, 642] is not surely worse than 16 [15, 17] and may be a loss; [1, 1.2] may be no gain. The
// baseline of n=4 is the best of its contest, whose a has 0.5 [0.49, 0.51].
TEST(Leaders, AGainWhoseIntervalHoldsOneIsNotProven) {
  auto figures = joined(gaining("n=1", {4.8, 0.18, 642}), gaining("n=2", {16, 15, 17}));
  figures = joined(figures, gaining("n=3", {1.1, 1, 1.2}));
  figures = joined(figures, contest("n=4", {{"base", 100}, {"a", 200}}));
  figures = joined(figures, gaining("n=5", {1.02, 1.01, 1.03}));
  const std::vector<Standing> all = standings(figures, {});
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(all[0].places.at(0).rank, 1) << "it shares the first rank of its contest all the same";
  EXPECT_EQ(order(leaders(all, 10)), (Names{"1 n=2 a", "2 n=5 a"}));
  EXPECT_TRUE(leaders(standings(gaining("n=1", {4.8, 0.18, 642}), {}), 10).empty());
}

// a 18 [0.5, 640] stands before b 16 [15, 17], with which it shares the rank; b's gain is the proven one.
TEST(Leaders, TheBestProvenVariantOfAContestLeads) {
  auto figures = contest("n=1", {{"base", 9}, {"a", 1}, {"b", 1}});
  figures[1].gain = Estimate{18, 0.5, 640};
  figures[2].gain = Estimate{16, 15, 17};
  EXPECT_EQ(standings(figures, {}).at(0).places.at(0).variant, "a");
  EXPECT_EQ(order(leaders(standings(figures, {}), 10)), (Names{"1 n=1 b"}));
}

TEST(Leaders, AnAnchorLeadsNothing) {
  auto figures = gaining("n=1", {8, 7, 9});
  figures[1].rung = Rung::anchor;
  EXPECT_TRUE(leaders(standings(figures, {}), 10).empty());
}

struct Entry {
  std::string variant;
  double time_ns, figure, gain;
};

/// A contest by another figure than time, with the gains that follow from that figure.
std::vector<Figure> contest_by(Goal goal, const std::vector<Entry>& entries) {
  std::vector<std::pair<std::string, double>> times;
  for (const Entry& entry : entries) times.emplace_back(entry.variant, entry.time_ns);
  auto figures = contest("by=" + std::string(name_of(goal)), times);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    figures[i].goal = goal;
    figures[i].figure = about(entries[i].figure, 0.02);
    if (i > 0) figures[i].gain = about(entries[i].gain, 0.02);
  }
  return figures;
}

/// In each of them a takes the least time, and b is the best by the goal:
/// latency, ns in the slowest hundredth: 1000 / 800 = 1.25, 1000 / 400 = 2.5;
/// throughput, items in a second: 1.5e6 / 1e6 = 1.5, 3e6 / 1e6 = 3;
/// memory, bytes: 4096 / 2048 = 2, 4096 / 1024 = 4, 4096 / 8192 = 0.5.
std::vector<Figure> of_every_goal() {
  auto figures =
      contest_by(Goal::latency, {{"base", 100, 1000, 1}, {"a", 50, 800, 1.25}, {"b", 90, 400, 2.5}});
  figures = joined(figures, contest_by(Goal::throughput,
                                       {{"base", 100, 1e6, 1}, {"a", 60, 1.5e6, 1.5}, {"b", 70, 3e6, 3}}));
  return joined(
      figures,
      contest_by(Goal::memory,
                 {{"base", 100, 4096, 1}, {"a", 50, 2048, 2}, {"b", 300, 1024, 4}, {"c", 20, 8192, 0.5}}));
}

TEST(Leaders, EveryGoalRanksByItsOwnFigure) {
  const auto places = [](Goal goal) {
    const std::vector<Standing> all = standings(of_every_goal(), goal);
    EXPECT_EQ(all.size(), 1u);
    EXPECT_EQ(all.at(0).goal, goal);
    Names names;
    for (const Place& place : all.at(0).places)
      names.push_back(std::to_string(place.rank.value_or(0)) + " " + place.variant);
    return names;
  };
  EXPECT_EQ(places(Goal::latency), (Names{"1 b", "2 a", "3 base"}));
  EXPECT_EQ(places(Goal::throughput), (Names{"1 b", "2 a", "3 base"}));
  EXPECT_EQ(places(Goal::memory), (Names{"1 b", "2 a", "3 base", "4 c"}));
  EXPECT_TRUE(standings(of_every_goal(), Goal::speed).empty());
  EXPECT_DOUBLE_EQ(standings(of_every_goal(), Goal::memory)[0].places[0].figure->value, 1024);
}

// 4 [3.92, 4.08], 3 [2.94, 3.06] and 2.5 [2.45, 2.55] are apart.
TEST(Leaders, GainsOfDifferentGoalsRankTogether) {
  EXPECT_EQ(order(leaders(standings(of_every_goal(), {}), 10)),
            (Names{"1 by=memory b", "2 by=throughput b", "3 by=latency b"}));
  EXPECT_EQ(order(leaders(standings(of_every_goal(), Goal::latency), 10)), (Names{"1 by=latency b"}));
}

}  // namespace
}  // namespace aisp::analysis
