// SPDX-License-Identifier: Apache-2.0
// What those are told who watch a store, whoever adds to it: the same on every engine.
#include "aisp/store/feed.h"

#include <limits>

#include <gtest/gtest.h>

#include "aisp/store/prune.h"
#include "aisp/wire/json.h"
#include "tests/store/every_engine.h"
#include "tests/store/figures_fixture.h"

namespace aisp::store::test {
namespace {

class Feeds : public EveryEngine {};

std::string kinds_after(Store& store, std::int64_t seq, std::size_t limit = 1000) {
  const auto events = events_after(store, seq, limit);
  EXPECT_TRUE(events) << events.error().message;
  std::string text;
  for (const FeedEvent& event : *events) text += std::to_string(event.seq) + " " + event.kind + "\n";
  return text;
}

TEST_P(Feeds, AnEmptyStoreHasNothingToTell) {
  const Place place(GetParam());
  Store store = open_store(place.file());
  EXPECT_EQ(kinds_after(store, 0), "");
  EXPECT_EQ(*last_event(store), 0);
  EXPECT_EQ(to_json(*counts(store)).dump(), R"({"runs":0,"cells":0,"last_event":0})");
  EXPECT_TRUE(hardware_with_results(store)->empty());
}

TEST_P(Feeds, TellWhatOthersAddInItsOrder) {
  const Place place(GetParam());
  Store writer = open_store(place.file());
  Store watcher = *Store::open(place.file(), Access::read_only);
  CellResult cell = cell_of("w/a", "n=1 name=\"x\"", {{"base", 1}});
  cell.device = "cuda:0";
  ASSERT_TRUE(writer.run_started(example_run("r", "Box")));
  EXPECT_EQ(kinds_after(watcher, 0), "1 run_started\n");
  ASSERT_TRUE(writer.cell_started("r", cell.workload, cell.parameters));
  ASSERT_TRUE(writer.cell_finished("r", cell));
  ASSERT_TRUE(writer.run_finished("r", "finished", "2026-04-01T11:00:00Z"));
  EXPECT_EQ(kinds_after(watcher, 0), "1 run_started\n2 cell_started\n3 cell_finished\n4 run_finished\n");
  EXPECT_EQ(kinds_after(watcher, 2), "3 cell_finished\n4 run_finished\n");
  EXPECT_EQ(kinds_after(watcher, 0, 2), "1 run_started\n2 cell_started\n") << "the first two";
  EXPECT_EQ(kinds_after(watcher, 4), "");
  EXPECT_EQ(kinds_after(watcher, std::numeric_limits<std::int64_t>::max()), "");
  EXPECT_EQ(*last_event(watcher), 4);
  const FeedEvent finished = events_after(watcher, 2)->front();
  EXPECT_EQ(finished.run, "r");
  EXPECT_EQ(finished.workload, "w/a");
  EXPECT_EQ(finished.parameters, "n=1 name=\"x\"");
  EXPECT_EQ(finished.device, "cuda:0");
  EXPECT_EQ(finished.hardware, "Box");
  EXPECT_EQ(finished.validity, "valid");
  EXPECT_TRUE(finished.created.ends_with('Z')) << "UTC: " << finished.created;
  EXPECT_EQ(events_after(watcher, 0)->front().workload, "") << "not said";
}

TEST_P(Feeds, CountWhatWasNotPruned) {
  const Place place(GetParam());
  Store store = open_store(place.file());
  const CellResult cell = cell_of("w", "n=1", {{"base", 1}});
  finish_run(store, "a", {cell, cell_of("w", "n=2", {{"base", 1}})}, "one");
  finish_run(store, "b", {cell}, "Two");
  finish_run(store, "c", {}, "of a run without results");
  EXPECT_EQ(to_json(*counts(store)).dump(), R"({"runs":3,"cells":3,"last_event":9})");
  EXPECT_EQ(*hardware_with_results(store), (std::vector<std::string>{"Two", "one"})) << "by their bytes";
  ASSERT_TRUE(prune(store, {.keep_newest = 2}));
  const StoreCounts left = *counts(store);
  EXPECT_EQ(left.runs, 2);
  EXPECT_GT(left.last_event, 9);
  EXPECT_EQ(left.last_event, *last_event(store));
  const std::vector<FeedEvent> news = *events_after(store, 9);
  ASSERT_FALSE(news.empty());
  EXPECT_EQ(news.back().kind, "run_pruned");
  EXPECT_EQ(news.back().run, "a");
}

INSTANTIATE_TEST_SUITE_P(On, Feeds, kEveryEngine, engine_name);

}  // namespace
}  // namespace aisp::store::test
