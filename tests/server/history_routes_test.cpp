// SPDX-License-Identifier: Apache-2.0
// The history over HTTP: which way a ratio goes, and how long the list gets.
#include <set>

#include "tests/server/asking.h"

namespace aisp::server::test {
namespace {

using aisp::store::test::cell_of;

/// Twenty runs; one variant gets slower in the middle of them, one faster.
class RoutesOverTime : public ::testing::Test {
 protected:
  void SetUp() override {
    for (int i = 0; i < 20; ++i) {
      const double noise = 1 + 0.001 * (i * 7 % 5);
      const std::string number = std::to_string(10 + i);
      CellResult cell = cell_of("ch07/transpose", "n=64",
                                {{"a_steady", 500 * noise},
                                 {"b_worse", (i < 10 ? 1000 : 1500) * noise},
                                 {"c_better", (i < 10 ? 1500 : 1000) * noise}});
      cell.finished = "2026-11-16T10:" + number + ":00Z";
      asking.keep("20261116-1000" + number + "-aaaa", {cell});
    }
  }
  Asking asking;
};

TEST_F(RoutesOverTime, ARatioIsAGainAndBelowOneIsWorse) {
  int changes = 0;
  const Json history = asking.json("/api/v1/history?hardware=box");
  for (const Json& series : history["series"]) {
    for (const Json& change : series["changes"]) {
      const double ratio = change["ratio"], before = change["before"], after = change["after"];
      EXPECT_EQ(change["worse"].get<bool>(), ratio < 1) << change;
      EXPECT_NEAR(ratio, before / after, 1e-9) << "time: less is better";
      EXPECT_EQ(change["worse"].get<bool>(), series["variant"] == "b_worse") << change;
      ++changes;
    }
  }
  EXPECT_EQ(changes, 2);
}

TEST_F(RoutesOverTime, SeriesThatChangedAreTheLastToBeLeftOut) {
  const Json two = asking.json("/api/v1/history?hardware=box&top=2");
  EXPECT_EQ(two["total"], 3);
  ASSERT_EQ(two["series"].size(), 2u);
  EXPECT_EQ(two["series"][0]["variant"], "b_worse");
  EXPECT_EQ(two["series"][1]["variant"], "c_better");
}

TEST_F(RoutesOverTime, TakeWhatChoosesAndNothingThatReadsOrWritesFiles) {
  const Json history = asking.json("/api/v1/history?hardware=box&workload=ch07/transpose");
  EXPECT_EQ(history["schema"], "aisp.history");
  EXPECT_EQ(history["hardware"], "box");
  EXPECT_FALSE(history["series"].empty());
  asking.refused("/api/v1/history?hardware=elsewhere", 400);
  asking.refused("/api/v1/history?since=yesterday", 400);
  asking.refused("/api/v1/history?junit=/tmp/x", 400);
  asking.refused("/api/v1/history?builds=/bin/sh", 400);
  asking.refused("/api/v1/history?commits=/etc/passwd", 400);
}

TEST_F(RoutesOverTime, TheListIsAsLongAsAskedFor) {
  const Json all = asking.json("/api/v1/history?hardware=box");
  ASSERT_GT(all["series"].size(), 1u);
  EXPECT_EQ(all["total"], all["series"].size());
  const Json one = asking.json("/api/v1/history?hardware=box&top=1");
  EXPECT_EQ(one["series"].size(), 1u);
  EXPECT_EQ(one["total"], all["total"]);
  EXPECT_EQ(one["counts"], all["counts"]) << "of all";
  for (const char* bad : {"0", "1001", "-1", "x", "1.5"})
    asking.refused(std::string("/api/v1/history?hardware=box&top=") + bad, 400);
}

// The level of b_worse changes at the eleventh of twenty points.
TEST_F(RoutesOverTime, ASeriesIsAsLongAsAskedFor) {
  const std::string of = "/api/v1/history?hardware=box&variant=b_worse";
  const Json all = asking.json(of)["series"][0];
  ASSERT_EQ(all["points"].size(), 20u);
  EXPECT_EQ(all["points_before"], 0);
  EXPECT_EQ(all["changes_before"], 0);
  ASSERT_EQ(all["changes"].size(), 1u);
  const Json cut = asking.json(of + "&points=15")["series"][0];
  ASSERT_EQ(cut["points"].size(), 15u);
  EXPECT_EQ(cut["points"][14]["time"], all["points"][19]["time"]) << "the newest stay";
  EXPECT_EQ(cut["points_before"], 5);
  ASSERT_EQ(cut["changes"].size(), 1u);
  for (const char* place : {"at", "last_old", "first_new"})
    EXPECT_EQ(cut["points"][cut["changes"][0][place].get<std::size_t>()]["time"],
              all["points"][all["changes"][0][place].get<std::size_t>()]["time"])
        << place;
  const Json newest = asking.json(of + "&points=3")["series"][0];
  EXPECT_EQ(newest["points"].size(), 3u);
  EXPECT_TRUE(newest["changes"].empty());
  EXPECT_EQ(newest["changes_before"], 1) << "nothing vanishes";
  for (const char* bad : {"0", "1001", "x"}) asking.refused(of + "&points=" + bad, 400);
}

// What points share is said once: points of different series name the same run by its place.
TEST_F(RoutesOverTime, EachRunIsListedOnceAndPointsNameItsPlace) {
  const Json history = asking.json("/api/v1/history?hardware=box");
  ASSERT_GT(history["series"].size(), 1u);
  std::set<std::string> ids;
  for (const Json& run : history["runs"])
    EXPECT_TRUE(ids.insert(run["run"].get<std::string>()).second) << run;
  std::set<std::size_t> named;
  for (const Json& series : history["series"])
    for (const Json& point : series["points"]) named.insert(point["run"].get<std::size_t>());
  EXPECT_EQ(named.size(), history["runs"].size());
  EXPECT_EQ(*named.rbegin(), history["runs"].size() - 1);
}

// The beginnings of runs are read once, and a run's id says nothing about the store it is in.
TEST_F(RoutesOverTime, AStoreThatTakesTheNameOfAnotherIsReadAnew) {
  const auto commit = [&] {
    const Json history = asking.json("/api/v1/history?hardware=box&variant=a_steady");
    const Json last = history["series"][0]["points"].back();
    return history["runs"][last["run"].get<std::size_t>()]["commit"].get<std::string>();
  };
  EXPECT_EQ(commit(), "");
  const std::string another = asking.store() + ".new";
  {
    auto opened = aisp::store::Store::open(another, aisp::store::Access::read_write);
    ASSERT_TRUE(opened);
    for (int i = 0; i < 20; ++i) {
      RunRecord run;
      run.id = "20261116-1000" + std::to_string(10 + i) + "-aaaa";
      run.started = run.finished = "2026-11-15T12:00:00Z";
      run.status = "finished";
      run.manifest.hardware = "box";
      run.manifest.facts.push_back({.name = "git", .value = "c0ffee"});
      ASSERT_TRUE(opened->run_started(run));
      CellResult cell = cell_of("ch07/transpose", "n=64", {{"a_steady", 500.0 + i % 3}});
      cell.finished = "2026-11-16T10:" + std::to_string(10 + i) + ":00Z";
      ASSERT_TRUE(opened->cell_finished(run.id, cell));
      ASSERT_TRUE(opened->run_finished(run.id, run.status, run.finished));
    }
  }
  for (const char* part : {"-wal", "-shm"}) std::filesystem::remove(asking.store() + part);
  std::filesystem::rename(another, asking.store());
  EXPECT_EQ(commit(), "c0ffee");
}

}  // namespace
}  // namespace aisp::server::test
