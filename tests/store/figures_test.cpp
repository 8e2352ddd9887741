// SPDX-License-Identifier: Apache-2.0
// The table of figures says what the events say, whatever happened to the store in between.
#include "aisp/store/figures.h"

#include <gtest/gtest.h>

#include "aisp/store/chain.h"
#include "aisp/store/figures_check.h"
#include "aisp/store/figures_table.h"
#include "aisp/store/merge.h"
#include "aisp/store/prune.h"
#include "aisp/wire/json.h"
#include "tests/store/every_engine.h"
#include "tests/store/fault_vfs.h"
#include "tests/store/figures_fixture.h"
#include "tests/store/fixture.h"

namespace aisp::store::test {
namespace {

class EveryFigure : public EveryEngine {};

/// Two runs, two workloads, a variant that is not valid and one cell measured again.
void fill_with_figures(const std::filesystem::path& file) {
  Store store = open_store(file);
  CellResult rejected = cell_of("v", "n=1", {{"base", 10}, {"fast", 4}});
  rejected.variants[1].validity = Validity::invalid;
  finish_run(store, "a", {cell_of("w", "n=1", {{"base", 100}, {"fast", 50}}), rejected});
  const CellResult cell = cell_of("w", "n=2", {{"base", 200}, {"fast", 80}});
  finish_run(store, "b", {cell, cell_of("v", "n=1", {{"base", 11}, {"fast", 5}}), cell});
}

TEST_P(EveryFigure, HoldEveryColumn) {
  const Place directory(GetParam());
  Store store = open_store(directory.file());
  CellResult cell = cell_of("ch07/transpose", "n=64 threads=2", {{"naive", 200}, {"tiled", 50}});
  cell.device = "cuda:0";
  cell.goal = Goal::throughput;
  cell.bound = Bound::cache;
  cell.cache = CacheMode::cold;
  cell.work_bytes = 8192;
  cell.work_flops = 7;
  cell.work_items = 64;
  VariantResult& tiled = cell.variants[1];
  tiled.rung = Rung::anchor;
  tiled.memory.peak_bytes = 4096;
  tiled.evidence.energy.joules_per_call = 0.25;
  tiled.evidence.energy.uncertainty = 0.03;
  tiled.evidence.energy.watts = 450;
  tiled.evidence.answers.checked = 9;
  tiled.evidence.answers.worst_error = 0.125;
  tiled.evidence.accelerator.dram_bytes = 9000;
  tiled.percent_of_ceiling = 88;
  tiled.ceiling = "read bandwidth";
  finish_run(store, "r", {cell}, "Abacus");
  const std::vector<Figure> figures = *latest_figures(store);
  ASSERT_EQ(figures.size(), 2u);
  Figure expected = figures_of(cell)[1];
  EXPECT_EQ(expected.joules, 0.25);
  EXPECT_EQ(expected.joules_uncertainty, 0.03);
  EXPECT_EQ(expected.watts, 450);
  EXPECT_EQ(expected.worst_error, 0.125);
  EXPECT_EQ(expected.traffic_bytes, 9000);
  EXPECT_EQ(expected.gain->value, 4) << "200 / 50";
  expected.hardware = "Abacus";
  expected.run = "r";
  expected.seq = 2;
  EXPECT_EQ(to_json(figures[1]).dump(), to_json(expected).dump());
  EXPECT_FALSE(figures[0].worst_error) << "nothing was checked";
  EXPECT_TRUE(figures[0].baseline && !figures[1].baseline);
}

TEST_P(EveryFigure, TheLatestValidOneCounts) {
  const Place directory(GetParam());
  Store store = open_store(directory.file());
  finish_run(store, "a", {cell_of("w", "n=1", {{"base", 100}, {"fast", 50}})});
  finish_run(store, "b", {cell_of("w", "n=1", {{"base", 100}, {"fast", 40}})});
  EXPECT_EQ(time_of(store, "fast"), 40);
  CellResult doubtful = cell_of("w", "n=1", {{"base", 100}, {"fast", 10}});
  doubtful.variants[1].validity = Validity::invalid;
  finish_run(store, "c", {doubtful});
  EXPECT_EQ(time_of(store, "fast"), 40) << "an invalid result takes no valid one's place";
  const auto figures = *latest_figures(store);
  ASSERT_EQ(figures.size(), 2u);
  EXPECT_EQ(figures[0].run, "c");
  EXPECT_TRUE(figures[0].newest);
  EXPECT_EQ(figures[1].run, "b");
  EXPECT_FALSE(figures[1].newest) << "something came later";
}

TEST_P(EveryFigure, WithoutAValidOneTheLatestIsGiven) {
  const Place directory(GetParam());
  Store store = open_store(directory.file());
  for (const double ns : {90.0, 80.0}) {
    CellResult cell = cell_of("w", "n=1", {{"base", ns}});
    cell.variants[0].validity = Validity::unproven;
    finish_run(store, "r" + std::to_string(ns), {cell});
  }
  EXPECT_EQ(time_of(store, "base"), 80);
  EXPECT_EQ(latest_figures(store)->at(0).validity, Validity::unproven);
}

TEST_P(EveryFigure, QuestionsAreRestricted) {
  const Place directory(GetParam());
  Store store = open_store(directory.file());
  CellResult gpu = cell_of("a/x", "n=1", {{"base", 1}});
  gpu.device = "cuda:0";
  finish_run(store, "r1", {cell_of("a/x", "n=1", {{"base", 1}}), cell_of("b/y", "n=1", {{"base", 1}})},
             "Box");
  finish_run(store, "r2", {gpu}, "NVIDIA H200");
  EXPECT_EQ(latest_figures(store)->size(), 3u);
  EXPECT_EQ(latest_figures(store, {.workloads = {"a/x"}})->size(), 2u);
  EXPECT_EQ(latest_figures(store, {.workloads = {"a/x", "b/y"}})->size(), 3u);
  EXPECT_EQ(latest_figures(store, {.hardware = "h200"})->size(), 1u);
  EXPECT_EQ(latest_figures(store, {.device = "cuda"})->size(), 1u);
  EXPECT_EQ(latest_figures(store, {.device = "cpu"})->size(), 2u);
  EXPECT_EQ(latest_figures(store, {.workloads = {"a"}})->size(), 0u);
  EXPECT_EQ(*figure_workloads(store), (std::vector<std::string>{"a/x", "b/y"}));
}

TEST_P(EveryFigure, ACellMeasuredAgainInItsRunTakesTheFirstOnesPlace) {
  const Place directory(GetParam());
  Store store = open_store(directory.file());
  ASSERT_TRUE(store.run_started(example_run("r")));
  ASSERT_TRUE(store.cell_finished("r", cell_of("w", "n=1", {{"base", 100}, {"gone", 1}})));
  ASSERT_TRUE(store.cell_finished("r", cell_of("w", "n=1", {{"base", 70}})));
  EXPECT_EQ(time_of(store, "base"), 70);
  EXPECT_EQ(latest_figures(store)->size(), 1u) << "as loading the run shows it";
  expect_sound(store);
}

TEST_P(EveryFigure, PruningTakesThemAway) {
  const Place directory(GetParam());
  Store store = open_store(directory.file());
  finish_run(store, "old", {cell_of("w", "n=1", {{"base", 100}, {"retired", 60}})});
  finish_run(store, "new", {cell_of("w", "n=1", {{"base", 90}})});
  EXPECT_EQ(latest_figures(store)->size(), 2u);
  ASSERT_TRUE(prune(store, {.keep_newest = 1}));
  EXPECT_EQ(latest_figures(store)->size(), 1u);
  EXPECT_EQ(time_of(store, "base"), 90);
  EXPECT_EQ(sql_text(directory.file(), "SELECT count(*) FROM figure_keys"), "1");
  expect_sound(store);
}

TEST_P(EveryFigure, MergingBringsThemAlong) {
  const Place here(GetParam()), there(GetParam());
  Store into = open_store(here.file());
  Store from = open_store(there.file());
  finish_run(into, "a", {cell_of("w", "n=1", {{"base", 100}})});
  finish_run(from, "b", {cell_of("w", "n=1", {{"base", 80}})});
  finish_run(from, "c", {cell_of("w", "n=2", {{"base", 500}})});
  ASSERT_TRUE(prune(from, {.keep_newest = 1}));
  ASSERT_TRUE(merge(into, from));
  EXPECT_EQ(latest_figures(into)->size(), 2u) << "what was pruned there has none";
  EXPECT_EQ(time_of(into, "base", "n=1"), 100);
  EXPECT_EQ(time_of(into, "base", "n=2"), 500);
  ASSERT_TRUE(merge(into, from));
  EXPECT_EQ(latest_figures(into)->size(), 2u);
  expect_sound(into);
}

TEST(Figures, AJournalBringsThemAlong) {
  const TemporaryDirectory directory;
  fill_with_figures(directory.file());
  {
    FaultVfs faults;
    Store store = open_store(directory.file());
    faults.arm(Fault::full, 1);
    ASSERT_FALSE(store.cell_finished("a", cell_of("w", "n=7", {{"base", 7}})));
    faults.disarm();
    EXPECT_EQ(time_of(store, "base", "n=7"), -1) << "it is in the journal";
  }
  Store store = open_store(directory.file());
  EXPECT_EQ(time_of(store, "base", "n=7"), 7);
  expect_sound(store);
}

TEST_P(EveryFigure, AnswersWithoutTheTableAreTheSame) {
  const Place directory(GetParam());
  fill_with_figures(directory.file());
  std::string with;
  {
    Store store = *Store::open(directory.file(), Access::read_only);
    with = to_json(*latest_figures(store)).dump();
  }
  EXPECT_GT(with.size(), 1000u);
  for (const char* loss : {"UPDATE figures_made SET version = 0",
                           "UPDATE figures_made SET through = through - 1", "DROP TABLE figures_made",
                           "DROP TABLE figures", "DROP INDEX valid_figures", "DELETE FROM figures_made"}) {
    sql(directory.file(), loss);
    {
      Store store = *Store::open(directory.file(), Access::read_only);
      EXPECT_TRUE(store.warnings().empty()) << "it is no damage";
      EXPECT_EQ(to_json(*latest_figures(store)).dump(), with) << loss;
      EXPECT_EQ(figure_workloads(store)->size(), 2u);
      EXPECT_FALSE(check_figures(store)->current) << loss;
      EXPECT_FALSE(check_chain(store)->broken) << loss;
    }
    Store store = open_store(directory.file());
    EXPECT_TRUE(store.warnings().empty()) << loss;
    EXPECT_EQ(to_json(*latest_figures(store)).dump(), with) << loss;
    expect_sound(store);
  }
}

TEST_P(EveryFigure, WhatAProgramWithoutThemWroteIsMadeUpFor) {
  const Place ours(GetParam());
  fill_with_figures(ours.file());
  {
    // The same events and a prune, in a store whose table was kept from following them.
    Store store = open_store(ours.file());
    sql(ours.file(), "UPDATE figures_made SET version = -1");
    finish_run(store, "later", {cell_of("w", "n=9", {{"base", 9}})});
    sql(ours.file(), "UPDATE figures_made SET version = " + std::to_string(kFiguresVersion));
    ASSERT_TRUE(prune(store, {.keep_newest = 1}));
    EXPECT_FALSE(check_figures(store)->current);
    EXPECT_EQ(latest_figures(store)->size(), 1u) << "from the events";
  }
  Store store = open_store(ours.file());
  EXPECT_EQ(latest_figures(store)->size(), 1u);
  expect_sound(store);
}

TEST_P(EveryFigure, WhoOpensIsToldWhileTheyAreMadeUpFor) {
  const Place ours(GetParam());
  fill_with_figures(ours.file());
  std::vector<std::pair<std::int64_t, std::int64_t>> told;
  const OpenOptions options{
      .catching_up = [&](std::int64_t done, std::int64_t all) { told.emplace_back(done, all); }};
  ASSERT_TRUE(Store::open(ours.file(), Access::read_write, options));
  EXPECT_TRUE(told.empty()) << "there was nothing to do";
  sql(ours.file(), "UPDATE figures_made SET version = -1");
  ASSERT_TRUE(Store::open(ours.file(), Access::read_write, options));
  ASSERT_FALSE(told.empty());
  for (std::size_t i = 0; i < told.size(); ++i) {
    EXPECT_LE(told[i].first, told[i].second);
    EXPECT_TRUE(i == 0 || told[i - 1].first < told[i].first);
  }
}

TEST_P(EveryFigure, CheckFindsEveryDisagreement) {
  for (const char* change :
       {"UPDATE figures SET time = time / 2 WHERE seq = 2", "UPDATE figures SET validity = 'valid'",
        "DELETE FROM figures WHERE seq = 2", "UPDATE figures SET seq = 3 WHERE seq = 2",
        "UPDATE figure_keys SET variant = 'other' WHERE id = 1",
        "INSERT INTO figures SELECT key, 3, run, finished, goal, bound, rung, baseline, validity, time, "
        "time_low, "
        "time_high, figure, figure_low, figure_high, gain, gain_low, gain_high, against, outcome, "
        "peak_bytes, "
        "joules, joules_uncertainty, watts, worst_error, percent_of_ceiling, ceiling, traffic_bytes, bytes, "
        "flops, items FROM figures "
        "WHERE seq = 2",
        "UPDATE figures SET goal = 'beauty'", "UPDATE latest_figures SET time = time / 2",
        "DELETE FROM latest_figures WHERE variant = 'fast'", "UPDATE latest_figures SET newest = 1 - newest",
        "UPDATE latest_figures SET workload = 'x' || workload"}) {
    const Place directory(GetParam());
    fill_with_figures(directory.file());
    sql(directory.file(), change);
    Store store = open_store(directory.file());
    const Result<FiguresReport> report = check_figures(store);
    EXPECT_TRUE(!report || !report->differing.empty()) << change;
    EXPECT_FALSE(check_chain(store)->broken) << "the events are as they were";
    ASSERT_TRUE(derive_figures_again(store));
    expect_sound(store);
  }
}

TEST_P(EveryFigure, AFaultInTheTableKeepsNoResultOut) {
  const Place directory(GetParam());
  fill_with_figures(directory.file());
  Store store = open_store(directory.file());
  sql(directory.file(), by_engine("CREATE TRIGGER figures_refused BEFORE INSERT ON figures "
                                  "BEGIN SELECT RAISE(ABORT, 'no'); END",
                                  "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS "
                                  "$$ BEGIN RAISE EXCEPTION 'no'; END $$; CREATE TRIGGER figures_refused "
                                  "BEFORE INSERT ON figures FOR EACH ROW EXECUTE FUNCTION refuse()"));
  finish_run(store, "kept", {cell_of("w", "n=5", {{"base", 33}})});
  EXPECT_TRUE(store.load("kept"));
  EXPECT_EQ(time_of(store, "base", "n=5"), 33) << "from the events";
  EXPECT_FALSE(check_figures(store)->current);
}

TEST(Figures, KilledAnywhereTheyAreMadeUpForNextTime) {
  const TemporaryDirectory base;
  fill_with_figures(base.file());
  std::string with;
  {
    Store store = *Store::open(base.file(), Access::read_only);
    with = to_json(*latest_figures(store)).dump();
  }
  sql(base.file(), "DROP TABLE figures_made");
  int deaths = 0;
  for (int n = 1;; ++n) {
    const TemporaryDirectory directory;
    std::filesystem::copy_file(base.file(), directory.file());
    const int status = in_child([&] {
      FaultVfs faults;
      faults.arm(Fault::kill, n);
      Store store = open_store(directory.file());
      return 0;
    });
    if (returned(status, 0)) break;
    ASSERT_TRUE(killed(status)) << n;
    ++deaths;
    Store store = open_store(directory.file());
    EXPECT_EQ(to_json(*latest_figures(store)).dump(), with) << n;
    expect_sound(store);
  }
  EXPECT_GT(deaths, 3);
}

TEST(Figures, AStoreThatCannotBeChangedIsAnswered) {
  for (const bool with_table : {true, false}) {
    const TemporaryDirectory directory;
    fill_with_figures(directory.file());
    if (!with_table) sql(directory.file(), "DROP TABLE latest_figures");
    std::filesystem::permissions(directory.file(), std::filesystem::perms(0444));
    std::filesystem::permissions(directory.path(), std::filesystem::perms(0555));
    const std::string bytes = read_file(directory.file());
    const int status = in_unprivileged_child([&] {
      Result<Store> store = Store::open(directory.file(), Access::read_only);
      if (!store) return 1;
      const auto figures = latest_figures(*store);
      return figures && figures->size() == 6 ? 0 : 2;
    });
    EXPECT_TRUE(returned(status, 0)) << with_table;
    std::filesystem::permissions(directory.path(), std::filesystem::perms(0755));
    EXPECT_EQ(read_file(directory.file()), bytes);
  }
}

TEST_P(EveryFigure, AStoreOfANewerProgramIsAnswered) {
  const Place directory(GetParam());
  fill_with_figures(directory.file());
  sql(directory.file(), by_engine("PRAGMA user_version = 99", "UPDATE aisp_store SET version = 99"));
  Store store = *Store::open(directory.file(), Access::read_only);
  EXPECT_EQ(latest_figures(store)->size(), 6u);
  sql(directory.file(), "ALTER TABLE figures ADD COLUMN mood TEXT");
  Store other = *Store::open(directory.file(), Access::read_only);
  EXPECT_EQ(latest_figures(other)->size(), 6u) << "from the events";
}

TEST_P(EveryFigure, AnEmptyStoreHasNone) {
  const Place directory(GetParam());
  Store store = open_store(directory.file());
  EXPECT_TRUE(latest_figures(store)->empty());
  EXPECT_TRUE(figure_workloads(store)->empty());
  expect_sound(store);
}

INSTANTIATE_TEST_SUITE_P(On, EveryFigure, kEveryEngine, engine_name);

}  // namespace
}  // namespace aisp::store::test
