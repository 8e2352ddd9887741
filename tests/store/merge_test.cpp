// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/merge.h"

#include <gtest/gtest.h>

#include "aisp/store/chain.h"
#include "aisp/store/prune.h"
#include "tests/store/every_engine.h"
#include "tests/store/fixture.h"

namespace aisp::store::test {
namespace {

class Merges : public EveryEngine {};

TEST_P(Merges, AddsTheRunsOfAnotherStoreOnce) {
  const Place here(GetParam()), there(GetParam());
  const auto texts = fill_store(there.file(), 2);
  Store into = open_store(here.file());
  ASSERT_TRUE(into.run_started(example_run("own")));
  Store from = open_store(there.file());
  const Result<MergeReport> merged = merge(into, from);
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_EQ(merged->runs, (std::vector<std::string>{"r0", "r1"}));
  EXPECT_EQ(merged->known, 0);
  EXPECT_EQ(text_of(*into.load("r0")), texts[0]);
  EXPECT_TRUE(into.load("own"));
  EXPECT_FALSE(check_chain(into)->broken);

  const Result<MergeReport> again = merge(into, from);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->events, 0);
  EXPECT_EQ(again->known, merged->events);
  EXPECT_TRUE(again->runs.empty());
}

// The runs of the other store are older than those here, and come behind them.
TEST_P(Merges, AnOlderRunIsNoClockThatWentBack) {
  const Place here(GetParam()), there(GetParam());
  fill_store(there.file(), 2);
  Store into = open_store(here.file());
  ASSERT_TRUE(into.run_started(example_run("own")));
  ASSERT_TRUE(into.cell_finished("own", example_cell(0)));
  Store from = open_store(there.file());
  ASSERT_EQ(merge(into, from)->runs.size(), 2u);
  EXPECT_EQ(check_chain(into)->clock_steps, 0);
}

TEST_P(Merges, TheNewestByDateAreKeptAndNotThoseStoredLast) {
  const Place here(GetParam()), there(GetParam());
  fill_store(there.file(), 2);
  Store into = open_store(here.file());
  ASSERT_TRUE(into.run_started(example_run("younger")));
  Store from = open_store(there.file());
  ASSERT_TRUE(merge(into, from));
  EXPECT_EQ(into.load("latest")->id, "r1") << "the order of storing";
  EXPECT_EQ(prune(into, {.keep_newest = 1})->runs, (std::vector<std::string>{"r1", "r0"}));
  EXPECT_TRUE(into.load("younger"));
}

TEST_P(Merges, WhatIsPrunedThereStaysHere) {
  const Place here(GetParam()), there(GetParam());
  const auto texts = fill_store(there.file(), 2);
  Store into = open_store(here.file());
  Store from = open_store(there.file());
  ASSERT_TRUE(merge(into, from));
  ASSERT_TRUE(prune(from, {.keep_newest = 1}));
  ASSERT_TRUE(merge(into, from));
  ASSERT_TRUE(into.load("r0"));
  EXPECT_EQ(text_of(*into.load("r0")), texts[0]);

  const Place empty(GetParam());
  Store fresh = open_store(empty.file());
  EXPECT_EQ(merge(fresh, from)->runs, std::vector<std::string>{"r1"});
  EXPECT_FALSE(fresh.load("r0"));
  EXPECT_FALSE(check_chain(fresh)->broken);
}

TEST_P(Merges, ARunResumedAndThenPrunedThereStaysAsItIsHere) {
  const Place here(GetParam()), there(GetParam());
  Store into = open_store(here.file());
  ASSERT_TRUE(into.run_started(example_run("r")));
  ASSERT_TRUE(into.cell_finished("r", example_cell(0)));
  Store from = open_store(there.file());
  ASSERT_TRUE(merge(from, into));
  const std::string interrupted = text_of(*into.load("r"));
  ASSERT_TRUE(from.cell_finished("r", example_cell(1)));
  ASSERT_TRUE(prune(from, {.keep_newest = 0}));

  const Result<MergeReport> merged = merge(into, from);
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_EQ(merged->events, 0);
  const Result<ChainReport> chain = check_chain(into);
  EXPECT_FALSE(chain->broken) << chain->broken->what;
  EXPECT_EQ(text_of(*into.load("r")), interrupted);
}

TEST_P(Merges, JoinsSeveralStoresOrNone) {
  const Place here(GetParam()), first(GetParam()), second(GetParam()), clashing(GetParam());
  Store into = open_store(here.file());
  ASSERT_TRUE(into.run_started(example_run("own")));
  Store one = open_store(first.file());
  ASSERT_TRUE(one.run_started(example_run("a")));
  Store two = open_store(second.file());
  ASSERT_TRUE(two.run_started(example_run("b")));
  ASSERT_TRUE(merge(two, one)) << "a run that two of them have comes once";
  Store* const both[] = {&one, &two};
  const Result<MergeReport> merged = merge(into, both);
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_EQ(merged->runs, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(merged->events, 2);
  EXPECT_EQ(merged->known, 1);
  EXPECT_FALSE(check_chain(into)->broken);

  Store other = open_store(clashing.file());
  ASSERT_TRUE(other.run_started(example_run("own")));
  ASSERT_TRUE(one.run_started(example_run("late")));
  Store* const with_clash[] = {&one, &other};
  ASSERT_FALSE(merge(into, with_clash));
  EXPECT_FALSE(into.load("late")) << "none, because one of them was refused";
}

TEST_P(Merges, OneNameForTwoRunsIsRefusedByName) {
  const Place here(GetParam()), there(GetParam());
  Store into = open_store(here.file());
  Store from = open_store(there.file());
  for (Store* store : {&into, &from}) ASSERT_TRUE(store->run_started(example_run("same")));
  ASSERT_TRUE(from.run_started(example_run("innocent")));
  const Result<MergeReport> merged = merge(into, from);
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().code, ErrorCode::store);
  EXPECT_NE(merged.error().message.find("same of " + from.file().string()), std::string::npos)
      << merged.error().message;
  EXPECT_EQ(merged.error().message.find("innocent"), std::string::npos) << merged.error().message;
  EXPECT_EQ(into.list()->size(), 1u);
  EXPECT_EQ(check_chain(into)->events, 1);
}

TEST_P(Merges, ARunMayGoOnInOnePlaceAndNotInTwo) {
  const Place here(GetParam()), there(GetParam());
  Store into = open_store(here.file());
  ASSERT_TRUE(into.run_started(example_run("r")));
  ASSERT_TRUE(into.cell_finished("r", example_cell(0)));
  Store from = open_store(there.file());
  ASSERT_TRUE(merge(from, into));
  ASSERT_TRUE(from.cell_finished("r", example_cell(1)));
  ASSERT_TRUE(merge(into, from)) << "it went on there";
  EXPECT_EQ(text_of(*into.load("r")), text_of(*from.load("r")));
  ASSERT_TRUE(into.cell_finished("r", example_cell(2)));
  EXPECT_EQ(merge(into, from)->events, 0) << "it went on here";
  ASSERT_TRUE(from.cell_finished("r", example_cell(3)));
  const Result<MergeReport> both = merge(into, from);
  ASSERT_FALSE(both) << "in both";
  EXPECT_NE(both.error().message.find("r of "), std::string::npos) << both.error().message;
}

TEST_P(Merges, IntoItselfChangesNothing) {
  const Place directory(GetParam());
  fill_store(directory.file(), 1);
  Store into = open_store(directory.file());
  Store from = std::move(*Store::open(directory.file(), Access::read_only));
  const Result<MergeReport> merged = merge(into, from);
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_EQ(merged->events, 0);
  EXPECT_EQ(merged->known, 8);
}

TEST_P(Merges, RefusesAStoreThatWasChanged) {
  const Place here(GetParam()), there(GetParam());
  fill_store(there.file(), 1);
  sql(there.file(), "UPDATE events SET validity = 'valid' WHERE seq = 3", true);
  Store into = open_store(here.file());
  Store from = std::move(*Store::open(there.file(), Access::read_only));
  const Result<MergeReport> merged = merge(into, from);
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().code, ErrorCode::store);
  EXPECT_TRUE(into.list()->empty());
}

TEST_P(Merges, NothingIsAddedToAStoreThatANewerProgramMigratedMeanwhile) {
  const Place here(GetParam()), there(GetParam());
  fill_store(there.file(), 1);
  Store into = open_store(here.file());
  Store from = open_store(there.file());
  const int status = in_child([&] {
    sql(here.file(), by_engine("PRAGMA user_version = 99", "UPDATE aisp_store SET version = 99"));
    return 0;
  });
  ASSERT_TRUE(returned(status, 0));
  const Result<MergeReport> merged = merge(into, from);
  ASSERT_FALSE(merged);
  EXPECT_NE(merged.error().message.find("newer"), std::string::npos) << merged.error().message;
  EXPECT_TRUE(into.list()->empty());
}

INSTANTIATE_TEST_SUITE_P(On, Merges, kEveryEngine, engine_name);

}  // namespace
}  // namespace aisp::store::test
