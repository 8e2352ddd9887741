// SPDX-License-Identifier: Apache-2.0
// `aisp leaderboard` over all workloads: proven gains alone, of every goal.
#include "tests/cli/analyze_fixture.h"

namespace aisp::testing {
namespace {

/// A ladder at one size whose best has this gain over its baseline.
CellResult gaining(const std::string& workload, double gain, double low, double high) {
  CellResult cell = cell_of(workload, "n=8", {{"naive", 90}, {"online", 30}});
  cell.variants[1].speedup->ratio = gain;
  cell.variants[1].speedup->low = low;
  cell.variants[1].speedup->high = high;
  return cell;
}

/// first 100 ns, quick 50 ns, good 90 ns; by the goal quick is 1.25 times as good as the first, good 2.5
/// times.
CellResult ladder_by(Goal goal, const std::string& workload, double first, double quick, double good) {
  CellResult cell = cell_of(workload, "n=8", {{"first", 100}, {"quick", 50}, {"good", 90}});
  cell.goal = goal;
  const double figures[] = {first, quick, good}, gains[] = {1, 1.25, 2.5};
  for (std::size_t i = 0; i < 3; ++i) {
    VariantResult& variant = cell.variants[i];
    variant.figure = Estimate{figures[i], 0.99 * figures[i], 1.01 * figures[i]};
    if (i == 0) continue;
    variant.speedup->ratio = gains[i];
    variant.speedup->low = 0.99 * gains[i];
    variant.speedup->high = 1.01 * gains[i];
  }
  return cell;
}

// 4.8 [0.18, 642] is not surely worse than tiled's 4 [3.92, 4.08], and may be a loss.
TEST_F(Analyze, OnlyProvenGainsLead) {
  keep("r2", {gaining("ch08/ilp", 4.8, 0.18, 642)}, "Intel Xeon");
  const Json said = ask({"leaderboard"});
  EXPECT_EQ(said["contests"], 2);
  EXPECT_EQ(said["total"], 1);
  ASSERT_EQ(said["leaders"].size(), 1u);
  EXPECT_EQ(said["leaders"][0]["place"]["variant"], "tiled");
  const std::string text = box.run({"leaderboard"}).out;
  EXPECT_EQ(text.find("ch08/ilp"), std::string::npos) << text;
  EXPECT_NE(text.find("1 of 1 proven gains in 2 contests"), std::string::npos) << text;
  EXPECT_EQ(ask({"leaderboard", "ch08/ilp"})["standings"][0]["places"].size(), 2u) << "named, all are shown";
}

TEST_F(Analyze, ABoardWithoutAProvenGainSaysSo) {
  keep("r2", {gaining("ch08/ilp", 4.8, 0.18, 642)}, "Intel Xeon");
  const Finished none = box.run({"leaderboard", "--device", "xeon"});
  EXPECT_EQ(none.exit_code, 0) << none.err;
  EXPECT_EQ(none.out,
            "No gain is proven: no contest has a variant whose whole interval lies above 1 (contests: 1).\n");
  const Json said = ask({"leaderboard", "--device", "xeon"});
  EXPECT_EQ(said["cannot_tell"], false) << "it was measured";
  EXPECT_EQ(said["leaders"].size(), 0u);
}

// By their gains tiled and wide tie and tiled is the larger; by their rounds wide is surely better.
TEST_F(Analyze, LeadersAreThoseThatTheRoundsOfTheirContestsSay) {
  CellResult cell = transpose();
  store::test::sample_rounds(cell, {200, 51, 50});
  keep("r2", {cell});
  for (const Words& words : {Words{"leaderboard"}, Words{"leaderboard", "ch07"}}) {
    const Json place = ask(words)["leaders"][0]["place"];
    EXPECT_EQ(place["variant"], "wide");
    EXPECT_EQ(place["rank"], 1);
    EXPECT_EQ(place["tied"], false);
  }
}

// By gains tiled leads with 4, before 3.95 of another contest; by rounds wide does, with 3.92, behind it.
TEST_F(Analyze, PagesOfLeadersNeitherRepeatNorMissAContest) {
  CellResult cell = transpose();
  store::test::sample_rounds(cell, {200, 51, 50});
  keep("r2", {cell, gaining("ch08/ilp", 3.95, 3.94, 3.96)});
  const auto page = [&](const char* offset) {
    return ask({"leaderboard", "--top", "1", "--offset", offset})["leaders"][0]["where"]["workload"];
  };
  EXPECT_EQ(page("0"), "ch08/ilp");
  EXPECT_EQ(page("1"), "ch07/transpose");
}

// The first 20 are read; of the others nobody knows whether another variant shares the first rank.
TEST_F(Analyze, WhereNoRoundsWereReadNoTieIsSaid) {
  std::vector<CellResult> cells;
  for (int i = 0; i < 22; ++i)
    cells.push_back(cell_of("ch08/ilp", "n=" + std::to_string(i), {{"a", 9}, {"b", 3}}));
  keep("r2", cells);
  const Json leaders = ask({"leaderboard", "--top", "60"})["leaders"];
  ASSERT_EQ(leaders.size(), 23u);
  for (std::size_t i = 0; i < leaders.size(); ++i) {
    EXPECT_EQ(leaders[i]["place"]["tied"].is_null(), i >= 20) << i;
    EXPECT_EQ(leaders[i]["place"]["rank"].is_null(), i >= 20) << i;
    EXPECT_TRUE(leaders[i]["tied"].is_boolean()) << "among contests gains decide";
  }
}

// Latency in ns and memory in bytes: less is better; throughput in items a second: more is.
TEST_F(Analyze, EveryGoalHasItsBoard) {
  keep("r2", {ladder_by(Goal::latency, "ch16/prefill", 1000, 800, 400),
              ladder_by(Goal::throughput, "ch15/batching", 1e6, 1.25e6, 2.5e6),
              ladder_by(Goal::memory, "ch13/recompute", 5000, 4000, 2000)});
  const std::pair<const char*, const char*> boards[] = {
      {"latency", "ch16/prefill"}, {"throughput", "ch15/batching"}, {"memory", "ch13/recompute"}};
  for (const auto& [goal, workload] : boards) {
    const Json said = ask({"leaderboard", "--goal", goal});
    ASSERT_EQ(said["leaders"].size(), 1u) << goal;
    EXPECT_EQ(said["leaders"][0]["goal"], goal);
    EXPECT_EQ(said["leaders"][0]["where"]["workload"], workload);
    EXPECT_EQ(said["leaders"][0]["place"]["variant"], "good") << goal;
    const Json places = ask({"leaderboard", workload, "--goal", goal})["standings"][0]["places"];
    const char* const order[] = {"good", "quick", "first"};
    ASSERT_EQ(places.size(), 3u) << goal;
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(places[i]["variant"], order[i]) << goal;
      EXPECT_EQ(places[i]["rank"], i + 1) << goal;
    }
  }
  EXPECT_EQ(ask({"leaderboard", "--goal", "speed"})["leaders"][0]["place"]["variant"], "tiled");
}

}  // namespace
}  // namespace aisp::testing
