// SPDX-License-Identifier: Apache-2.0
// Every write, flush and death that SQLite can meet while a run is stored: what was acknowledged is there
// afterwards, whole; what was not is in the journal and comes back at the next start.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>

#include <sys/resource.h>
#include <unistd.h>

#include "aisp/store/chain.h"
#include "aisp/store/journal.h"
#include "tests/store/fault_vfs.h"
#include "tests/store/fixture.h"

namespace aisp::store::test {
namespace {

constexpr int kCells = 2;
constexpr int kSamples = 100;  // a few pages each

/// Stores a run cell by cell; which cells were acknowledged.
std::vector<bool> store_run(Store& store) {
  std::vector<bool> acknowledged;
  (void)store.run_started(example_run("faulty"));
  for (int c = 0; c < kCells; ++c)
    acknowledged.push_back(bool(store.cell_finished("faulty", example_cell(c, kSamples))));
  return acknowledged;
}

void expect_complete(const std::filesystem::path& file, const std::string& context) {
  Store store = open_store(file);
  const Result<RunRecord> run = store.load("faulty");
  ASSERT_TRUE(run) << context << run.error().message;
  ASSERT_EQ(run->cells.size(), static_cast<std::size_t>(kCells)) << context;
  for (int c = 0; c < kCells; ++c) {
    const auto found = std::ranges::find(run->cells, "n=" + std::to_string(c), &CellResult::parameters);
    ASSERT_NE(found, run->cells.end()) << context;
    EXPECT_EQ(text_of(*found), text_of(example_cell(c, kSamples))) << context;
  }
  const Result<ChainReport> chain = check_chain(store);
  ASSERT_TRUE(chain) << context;
  EXPECT_FALSE(chain->broken) << context << chain->broken->what;
  EXPECT_EQ(chain->events, 8 + 1 + kCells) << context << "nothing twice";
}

/// One failure of this kind at the n-th operation, for every n there is.
void sweep(Fault fault) {
  const TemporaryDirectory base;
  fill_store(base.file(), 1);
  FaultVfs faults;
  int places = 0;
  for (int n = 1;; ++n) {
    const std::string context = "failure at operation " + std::to_string(n) + ": ";
    const TemporaryDirectory directory;
    std::filesystem::copy_file(base.file(), directory.file());
    {
      Store store = open_store(directory.file());
      faults.arm(fault, n);
      const std::vector<bool> acknowledged = store_run(store);
      if (!faults.fired()) {
        EXPECT_EQ(acknowledged, std::vector<bool>(kCells, true)) << context;
        break;
      }
      ++places;
      // The disk never comes back, so nothing after the failure may be called saved.
      EXPECT_FALSE(acknowledged.back()) << context;
      // Reading still works, and shows exactly what was acknowledged.
      const Result<RunRecord> run = store.load("faulty");
      if (run) {
        EXPECT_EQ(run->cells.size(), static_cast<std::size_t>(std::ranges::count(acknowledged, true)))
            << context;
      }
      EXPECT_TRUE(store.load("r0")) << context;
    }
    faults.disarm();
    expect_complete(directory.file(), context);
    EXPECT_EQ(directory.names(), std::vector<std::string>{"results.db"}) << context;
  }
  EXPECT_GE(places, 1 + kCells);
}

TEST(Fault, TheDiskIsFullAtEveryWrite) { sweep(Fault::full); }
TEST(Fault, AnIoErrorAtEveryWrite) { sweep(Fault::write); }
TEST(Fault, AnIoErrorAtEveryFlush) { sweep(Fault::sync); }

TEST(Fault, AFailedFlushIsNotCalledSaved) {
  const TemporaryDirectory directory;
  FaultVfs faults;
  Store store = open_store(directory.file());
  ASSERT_TRUE(store.run_started(example_run("faulty")));
  faults.arm(Fault::sync, 1);
  const Status stored = store.cell_finished("faulty", example_cell(0));
  ASSERT_FALSE(stored);
  EXPECT_EQ(stored.error().code, ErrorCode::io);
  EXPECT_NE(stored.error().hint.find("pending.jsonl"), std::string::npos) << stored.error().hint;
}

TEST(Fault, AFullDiskIsFoundBeforeTheRun) {
  const TemporaryDirectory directory;
  fill_store(directory.file(), 1);
  FaultVfs faults;
  for (const Fault fault : {Fault::full, Fault::write, Fault::sync}) {
    faults.arm(fault, 1);
    const Result<Store> store = Store::open(directory.file(), Access::read_write);
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().code, ErrorCode::io);
    EXPECT_FALSE(store.error().hint.empty());
    EXPECT_TRUE(Store::open(directory.file(), Access::read_only)->load("r0")) << "reading needs no space";
  }
}

TEST(Fault, AFullDiskWhileCreatingLeavesNothing) {
  FaultVfs faults;
  int places = 0;
  for (int n = 1;; ++n) {
    const TemporaryDirectory directory;
    faults.arm(Fault::full, n);
    {
      const Result<Store> store = Store::open(directory.file(), Access::read_write);
      if (!faults.fired()) break;
      ++places;
      faults.disarm();
      EXPECT_FALSE(store) << n;
    }
    for (const std::string& name : directory.names())
      EXPECT_EQ(name.find(".new-"), std::string::npos) << name;
    EXPECT_TRUE(open_store(directory.file()).run_started(example_run("r"))) << n;
  }
  EXPECT_GT(places, 3);
}

/// Dies at the n-th operation for every n, creating, storing and closing: the survivors load whole.
void die_everywhere(Fault fault) {
  int deaths = 0;
  for (int n = 1;; ++n) {
    const TemporaryDirectory directory;
    const std::string context = "death at operation " + std::to_string(n) + ": ";
    const auto acks = directory.path() / "acknowledged";
    const int status = in_child([&] {
      FaultVfs faults;
      faults.arm(fault, n);
      Store store = open_store(directory.file());
      if (!store.run_started(example_run("faulty"))) return 1;
      for (int c = 0; c < kCells; ++c) {
        if (!store.cell_finished("faulty", example_cell(c, kSamples))) return 2;
        write_file(acks, std::to_string(c + 1));
      }
      return 0;
    });
    if (returned(status, 0)) break;
    ASSERT_TRUE(killed(status)) << context << status;
    ++deaths;
    const std::string text = read_file(acks);
    const int acknowledged = text.empty() ? 0 : std::stoi(text);
    Store store = open_store(directory.file());
    EXPECT_FALSE(check_chain(store)->broken) << context;
    const Result<RunRecord> run = store.load("faulty");
    const int found = run ? static_cast<int>(run->cells.size()) : 0;
    ASSERT_GE(found, acknowledged) << context;
    ASSERT_LE(found, acknowledged + 1) << context;
    for (int c = 0; c < found; ++c)
      EXPECT_EQ(text_of(run->cells[c]), text_of(example_cell(c, kSamples))) << context;
    for (const std::string& name : directory.names())
      EXPECT_EQ(name.find(".new-"), std::string::npos) << context;
  }
  EXPECT_GT(deaths, 20);
}

TEST(Fault, KilledAtEveryWrite) { die_everywhere(Fault::kill); }
TEST(Fault, KilledInTheMiddleOfEveryWrite) { die_everywhere(Fault::torn); }

TEST(Fault, AFileSizeLimitIsAFullDisk) {
  const TemporaryDirectory directory;
  fill_store(directory.file(), 1);
  const int status = in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    Store store = open_store(directory.file());
    if (!store.run_started(example_run("faulty"))) return 1;
    const rlimit small{100000, 100000};
    ::setrlimit(RLIMIT_FSIZE, &small);
    for (int c = 0; c < 100; ++c) {
      const Status stored = store.cell_finished("faulty", example_cell(c, kSamples));
      if (stored) continue;
      const rlimit nothing{0, 100000};
      ::setrlimit(RLIMIT_FSIZE, &nothing);
      if (store.cell_finished("faulty", example_cell(c, kSamples)) || !store.lost()) return 4;
      return stored.error().code == ErrorCode::io ? 0 : 2;
    }
    return 3;
  });
  EXPECT_TRUE(returned(status, 0)) << status;
  Store store = open_store(directory.file());
  EXPECT_TRUE(store.load("faulty"));
  EXPECT_FALSE(check_chain(store)->broken);
}

}  // namespace
}  // namespace aisp::store::test
