// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/store.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <thread>

#include <sys/stat.h>
#include <unistd.h>

#include "aisp/store/chain.h"
#include "aisp/store/run_lock.h"
#include "tests/store/every_engine.h"
#include "tests/store/fixture.h"

namespace aisp::store::test {
namespace {

class Stores : public EveryEngine {};

TEST_P(Stores, LoadsWhatWasStored) {
  const Place directory(GetParam());
  const std::vector<std::string> texts = fill_store(directory.file(), 2);
  Store store = open_store(directory.file());
  for (int r = 0; r < 2; ++r) {
    const Result<RunRecord> run = store.load("r" + std::to_string(r));
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_EQ(text_of(*run), texts[r]);
  }
  EXPECT_EQ(store.load("latest")->id, "r1");
}

TEST(Store, IsCreatedForTheUserAloneWithItsDirectories) {
  const TemporaryDirectory directory;
  const auto file = directory.path() / "a b" / "c\nd" / "r%?#.db";
  const Store store = open_store(file);
  struct stat status{};
  ASSERT_EQ(::stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600);
  ASSERT_EQ(::stat((file.string() + "-wal").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600);
  ASSERT_EQ(::stat(file.parent_path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700);
}

TEST(Store, LeavesOneFileWhenClosed) {
  const TemporaryDirectory directory;
  fill_store(directory.file(), 1);
  EXPECT_EQ(directory.names(), std::vector<std::string>{"results.db"});
  EXPECT_TRUE(Store::open(directory.file(), Access::read_only)->load("latest"));
  EXPECT_EQ(directory.names(), std::vector<std::string>{"results.db"});
}

TEST_P(Stores, ReadingDoesNotCreate) {
  const Place directory(GetParam());
  const Result<Store> store = Store::open(directory.file(), Access::read_only);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::store);
  EXPECT_TRUE(directory.names().empty());
}

TEST_P(Stores, ReadOnlyRefusesToWrite) {
  const Place directory(GetParam());
  fill_store(directory.file(), 1);
  Result<Store> store = Store::open(directory.file(), Access::read_only);
  ASSERT_TRUE(store);
  EXPECT_FALSE(store->cell_finished("r0", example_cell(1)));
}

TEST_P(Stores, AnUnfinishedCellAndRunAreInterrupted) {
  const Place directory(GetParam());
  Store store = open_store(directory.file());
  ASSERT_TRUE(store.run_started(example_run("r")));
  ASSERT_TRUE(store.cell_started("r", "ch07/transpose", "n=2"));
  ASSERT_TRUE(store.cell_finished("r", example_cell(2)));
  ASSERT_TRUE(store.cell_started("r", "ch09/softmax", "n=3"));
  Result<RunRecord> run = store.load("r");
  ASSERT_TRUE(run);
  EXPECT_EQ(run->status, "interrupted");
  ASSERT_EQ(run->cells.size(), 2u);
  EXPECT_EQ(run->cells[0].stopped, "precise");
  EXPECT_EQ(run->cells[1].stopped, "interrupted");
  EXPECT_EQ(run->cells[1].workload, "ch09/softmax");
  EXPECT_TRUE(run->cells[1].variants.empty());
  // A resumed run finishes it: one cell, not two.
  ASSERT_TRUE(store.cell_started("r", "ch09/softmax", "n=3"));
  ASSERT_TRUE(store.cell_finished("r", example_cell(3)));
  ASSERT_TRUE(store.run_finished("r", "finished", "2026-04-01T12:00:00Z"));
  run = store.load("r");
  EXPECT_EQ(run->status, "finished");
  EXPECT_EQ(run->finished, "2026-04-01T12:00:00Z");
  ASSERT_EQ(run->cells.size(), 2u);
  EXPECT_EQ(text_of(run->cells[1]), text_of(example_cell(3)));
}

TEST_P(Stores, TheSameCellOnTwoDevicesStaysTwo) {
  const Place directory(GetParam());
  Store store = open_store(directory.file());
  ASSERT_TRUE(store.run_started(example_run("r")));
  CellResult other = example_cell(2);
  other.device = "cuda:0";
  ASSERT_TRUE(store.cell_finished("r", example_cell(2)));
  ASSERT_TRUE(store.cell_finished("r", other));
  EXPECT_EQ(store.load("r")->cells.size(), 2u);
}

TEST_P(Stores, RunsAreFoundByUniqueBeginning) {
  const Place directory(GetParam());
  Store store = open_store(directory.file());
  for (const char* id : {"20260401-1", "20260401-12", "20260402-1"})
    ASSERT_TRUE(store.run_started(example_run(id)));
  EXPECT_EQ(store.load("20260402")->id, "20260402-1");
  EXPECT_EQ(store.load("20260401-1")->id, "20260401-1");
  const Result<RunRecord> ambiguous = store.load("20260401");
  ASSERT_FALSE(ambiguous);
  EXPECT_EQ(ambiguous.error().code, ErrorCode::bad_input);
  EXPECT_NE(ambiguous.error().message.find("20260401-12"), std::string::npos);
  EXPECT_FALSE(store.load("x"));
  EXPECT_FALSE(store.load(""));
  EXPECT_FALSE(store.load("2026%"));
}

TEST_P(Stores, OfManyRunsThatBeginAlikeTheRestIsCounted) {
  const Place directory(GetParam());
  Store store = open_store(directory.file());
  for (const char* id : {"2026-1", "2026-2", "2026-3", "2026-4"})
    ASSERT_TRUE(store.run_started(example_run(id)));
  EXPECT_TRUE(store.load("2026").error().message.ends_with(" 2026-4")) << "all of them are named";
  for (const char* id : {"2026-5", "2026-6"}) ASSERT_TRUE(store.run_started(example_run(id)));
  const std::string message = store.load("2026").error().message;
  EXPECT_TRUE(message.ends_with(" 2026-4 and 2 more")) << message;
}

TEST_P(Stores, ARunStartsOnce) {
  const Place directory(GetParam());
  Store store = open_store(directory.file());
  ASSERT_TRUE(store.run_started(example_run("r")));
  const Status again = store.run_started(example_run("r"));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::bad_input);
}

TEST_P(Stores, ARunsOutcomeIsListedWhereItIsKnown) {
  const Place directory(GetParam());
  Store store = open_store(directory.file());
  for (const char* id : {"killed", "older", "judged"}) ASSERT_TRUE(store.run_started(example_run(id)));
  ASSERT_TRUE(store.run_finished("older", "finished", "2026-04-01T12:00:00Z"));
  ASSERT_TRUE(store.run_finished("judged", "interrupted", "2026-04-01T12:00:00Z", {130, 0}));
  ASSERT_TRUE(store.run_finished("judged", "finished", "2026-04-01T12:10:00Z", {1, 2}));
  const auto runs = store.list();
  ASSERT_TRUE(runs) << runs.error().message;
  ASSERT_EQ(runs->size(), 3u);
  EXPECT_EQ((*runs)[0].outcome.exit_code, 1) << "the later end counts: it was resumed";
  EXPECT_EQ((*runs)[0].outcome.rejected, 2);
  for (const std::size_t unknown : {1u, 2u}) {
    EXPECT_FALSE((*runs)[unknown].outcome.exit_code) << (*runs)[unknown].id << ": unknown is not 0";
    EXPECT_FALSE((*runs)[unknown].outcome.rejected) << (*runs)[unknown].id;
  }
  EXPECT_EQ(store.load("judged")->status, "finished");
}

/// Status, exit code and the last cell, as the list and the run itself have it.
struct Seen {
  std::string listed, loaded, cell;
  bool exit_known = false;
  bool operator==(const Seen&) const = default;
};
void PrintTo(const Seen& seen, std::ostream* out) {
  *out << seen.listed << " " << seen.loaded << " " << seen.cell << (seen.exit_known ? " exit known" : "");
}

Seen seen_of(const std::filesystem::path& file, const std::string& id) {
  Result<Store> reader = Store::open(file, Access::read_only);
  if (!reader) return {.listed = reader.error().message};
  const auto runs = reader->list();
  const auto run = reader->load(id);
  if (!runs || !run || runs->empty()) return {.listed = "unreadable"};
  return {.listed = runs->front().status,
          .loaded = run->status,
          .cell = run->cells.empty() ? "" : run->cells.back().stopped,
          .exit_known = runs->front().outcome.exit_code.has_value()};
}

TEST_P(Stores, WhatIsBeingMeasuredIsRunningAndNotInterrupted) {
  const Place directory(GetParam());
  const std::string id = "measured-" + directory.path().filename().string();  // locks know no folder
  // A file's runs are held by the kernel, a server's by the connection that measures.
  std::optional<RunLock> lock = on_sqlite() ? RunLock::take(id) : std::nullopt;
  std::optional<Store> measuring(open_store(directory.file()));
  ASSERT_TRUE(measuring->run_started(example_run(id)));
  ASSERT_TRUE(measuring->cell_started(id, "ch07/transpose", "n=2"));
  ASSERT_TRUE(measuring->cell_finished(id, example_cell(2)));
  EXPECT_EQ(seen_of(directory.file(), id), (Seen{"running", "running", "precise"})) << "between two cells";
  ASSERT_TRUE(measuring->cell_started(id, "ch09/softmax", "n=3"));
  const Seen in_progress{"running", "running", "running"},
      killed{"interrupted", "interrupted", "interrupted"};
  EXPECT_EQ(seen_of(directory.file(), id), in_progress);
  measuring.reset();
  lock.reset();
  // The server notices the end of a connection a moment later.
  for (int tries = 0; tries < 600 && seen_of(directory.file(), id) == in_progress; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(seen_of(directory.file(), id), killed) << "without an event: nobody holds it any more";
}

TEST_P(Stores, AResumedRunIsRunningUntilItEndsAgain) {
  const Place directory(GetParam());
  const std::string id = "resumed-" + directory.path().filename().string();
  const std::optional<RunLock> lock = on_sqlite() ? RunLock::take(id) : std::nullopt;
  Store measuring = open_store(directory.file());
  ASSERT_TRUE(measuring.run_started(example_run(id)));
  ASSERT_TRUE(measuring.cell_started(id, "ch09/softmax", "n=3"));
  ASSERT_TRUE(measuring.run_finished(id, "out of time", "2026-04-01T12:00:00Z", {4, 0}));
  EXPECT_EQ(seen_of(directory.file(), id), (Seen{"out of time", "out of time", "interrupted", true}))
      << "it said how it ended, although its holder is still there";
  ASSERT_TRUE(measuring.cell_started(id, "ch09/softmax", "n=3"));
  EXPECT_EQ(seen_of(directory.file(), id), (Seen{"running", "running", "running"}));
  ASSERT_TRUE(measuring.cell_finished(id, example_cell(3)));
  ASSERT_TRUE(measuring.run_finished(id, "finished", "2026-04-01T12:10:00Z", {0, 0}));
  EXPECT_EQ(seen_of(directory.file(), id), (Seen{"finished", "finished", "precise", true}));
}

TEST_P(Stores, ListsNewestFirstInPages) {
  const Place directory(GetParam());
  fill_store(directory.file(), 5);
  Store store = open_store(directory.file());
  ASSERT_TRUE(store.run_started(example_run("other", "elsewhere")));
  ASSERT_TRUE(store.cell_started("other", "ch01/x", ""));
  const auto page = store.list({.limit = 2});
  ASSERT_TRUE(page) << page.error().message;
  ASSERT_EQ(page->size(), 2u);
  EXPECT_EQ((*page)[0].id, "other");
  EXPECT_EQ((*page)[0].status, "interrupted");
  EXPECT_EQ((*page)[0].cells, 1);
  EXPECT_EQ((*page)[0].invalid, 0);
  EXPECT_EQ((*page)[0].hardware, "elsewhere");
  EXPECT_EQ((*page)[1].id, "r4");
  EXPECT_EQ((*page)[1].status, "finished");
  EXPECT_EQ((*page)[1].started, "2026-04-01T10:00:00Z");
  EXPECT_EQ((*page)[1].command, example_run("").manifest.command);
  EXPECT_EQ((*page)[1].cells, 3);
  EXPECT_EQ((*page)[1].invalid, 1);  // of 40, 41, 42 one divides by three
  const auto rest = store.list({.limit = 10, .before = "r4"});
  ASSERT_EQ(rest->size(), 4u);
  EXPECT_EQ(rest->front().id, "r3");
  EXPECT_EQ(store.list({.hardware = "elsewhere"})->size(), 1u);
  EXPECT_EQ(store.list({.workload = "ch09/softmax"})->size(), 5u);
  EXPECT_EQ(store.list({.workload = "ch09/nothing"})->size(), 0u);
  EXPECT_FALSE(store.list({.before = "no such run"}));
}

TEST_P(Stores, CellsAreFoundByWorkloadAndHardware) {
  const Place directory(GetParam());
  fill_store(directory.file(), 3);
  Store store = open_store(directory.file());
  const auto cells = store.cells({.workload = "ch07/transpose", .hardware = "box"});
  ASSERT_TRUE(cells) << cells.error().message;
  ASSERT_EQ(cells->size(), 6u);
  EXPECT_EQ(cells->front().run, "r2");
  EXPECT_EQ(cells->front().parameters, "n=22");
  EXPECT_EQ(cells->front().validity, Validity::valid);
  EXPECT_EQ(text_of(*store.load_cell(cells->front().seq)), text_of(example_cell(22)));
  EXPECT_EQ(store.cells({.before = cells->front().seq, .workload = "ch07/"})->size(), 5u);
  EXPECT_EQ(store.cells({.parameters = "n=11"})->size(), 1u);
  EXPECT_EQ(store.cells({.hardware = "elsewhere"})->size(), 0u);
  EXPECT_EQ(store.cells({.limit = 4})->size(), 4u);
  EXPECT_FALSE(store.load_cell(1));  // a run's start
  EXPECT_FALSE(store.load_cell(100000));
}

TEST_P(Stores, LatestCeilingsOfEachMachine) {
  const Place directory(GetParam());
  Store store = open_store(directory.file());
  EXPECT_FALSE(store.latest_ceilings("box")->has_value());
  for (const double value : {1.0, 2.0}) {
    ASSERT_TRUE(store.ceilings_measured(
        {.hardware = "box", .date = "d", .entries = {{.name = "read", .value = value}}, .notes = {"alone"}}));
  }
  ASSERT_TRUE(store.ceilings_measured({.hardware = "other", .date = "d", .entries = {}}));
  const auto found = store.latest_ceilings("box");
  ASSERT_TRUE(found && found->has_value());
  EXPECT_EQ((*found)->entries.at(0).value, 2.0);
  EXPECT_EQ((*found)->notes, std::vector<std::string>{"alone"});
}

TEST_P(Stores, HostileTextComesBackAsText) {
  const Place directory(GetParam());
  Store store = open_store(directory.file());
  RunRecord run = example_run("'; DROP TABLE events; --");
  run.manifest.command = std::string("nul \0 bad \xff utf", 15);
  ASSERT_TRUE(store.run_started(run));
  CellResult cell = example_cell(1);
  cell.workload = "\xff\xfe";
  ASSERT_TRUE(store.cell_finished(run.id, cell));
  const Result<RunRecord> back = store.load("latest");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->id, run.id);
  EXPECT_EQ(back->cells.size(), 1u);
  EXPECT_FALSE(check_chain(store)->broken);
}

TEST_P(Stores, EventsCannotBeChangedThroughSql) {
  const Place directory(GetParam());
  fill_store(directory.file(), 1);
  const std::string replacing = by_engine("INSERT OR REPLACE INTO events", "INSERT INTO events");
  for (const std::string& statement : std::vector<std::string>{
           "UPDATE events SET payload = '{}' WHERE seq = 2", "UPDATE events SET payload = NULL WHERE seq = 2",
           "DELETE FROM events WHERE seq = 2", "UPDATE events SET run = 'x' WHERE seq = 2",
           replacing + " SELECT 2, id, run, kind, workload, parameters, device, hardware, "
                       "validity, "
                       "created, nonce, payload_hash, hash, '{}' FROM events WHERE seq = 2",
           by_engine("DELETE FROM events", "TRUNCATE events")}) {
    EXPECT_DEATH(sql(directory.file(), statement), "events are") << statement;
  }
}

TEST(Store, ThingsThatAreNoFilesAreRefused) {
  const TemporaryDirectory directory;
  ASSERT_EQ(::mkfifo((directory.path() / "pipe").c_str(), 0600), 0);
  std::filesystem::create_directory(directory.path() / "dir");
  std::filesystem::create_symlink("nowhere", directory.path() / "dangling");
  std::filesystem::create_symlink("loop", directory.path() / "loop");
  write_file(directory.path() / "plain", "x");
  for (const auto* name : {"pipe", "dir", "dangling", "loop", "plain/results.db"}) {
    const Result<Store> store = Store::open(directory.path() / name, Access::read_write);
    ASSERT_FALSE(store) << name;
    EXPECT_TRUE(store.error().code == ErrorCode::store || store.error().code == ErrorCode::io) << name;
    EXPECT_FALSE(store.error().hint.empty());
  }
  EXPECT_FALSE(Store::open(directory.path() / std::string(300, 'x'), Access::read_write));
  EXPECT_FALSE(
      Store::open(directory.path() / std::string(200, 'x') / std::string(200, 'y') / std::string(200, 'z'),
                  Access::read_write));
}

TEST(Store, ALinkToAStoreIsFollowed) {
  const TemporaryDirectory directory;
  fill_store(directory.file(), 1);
  std::filesystem::create_symlink("results.db", directory.path() / "link");
  EXPECT_TRUE(open_store(directory.path() / "link").load("r0"));
  EXPECT_TRUE(std::filesystem::is_symlink(directory.path() / "link"));
}

INSTANTIATE_TEST_SUITE_P(On, Stores, kEveryEngine, engine_name);

}  // namespace
}  // namespace aisp::store::test
