// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/recover.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <random>

#include <sys/wait.h>
#include <unistd.h>

#include "aisp/store/chain.h"
#include "aisp/store/journal.h"
#include "tests/store/fault_vfs.h"
#include "tests/store/fixture.h"

namespace aisp::store::test {
namespace {

/// The damaged file that recovery kept; empty if there is none.
std::filesystem::path kept_aside(const TemporaryDirectory& directory) {
  for (const std::string& name : directory.names()) {
    if (name.starts_with("results.db.damaged-") && !name.ends_with("-wal")) return directory.path() / name;
  }
  return {};
}

/// Every cell of the run is what fill_store() stored, or says that it was interrupted.
bool holds_only_truth(const RunRecord& run, int number, int samples) {
  if (run.manifest.command != example_run("").manifest.command && !run.manifest.command.empty()) return false;
  return std::ranges::all_of(run.cells, [&](const CellResult& cell) {
    if (cell.stopped == "interrupted") return cell.variants.empty();
    for (int c = 0; c < 3; ++c) {
      if (text_of(cell) == text_of(example_cell(10 * number + c, samples))) return true;
    }
    return false;
  });
}

/// The first opening says what happened, the second works.
void expect_recovery(const TemporaryDirectory& directory, const std::string& context) {
  const std::string damaged = read_file(directory.file());
  const Result<Store> first = Store::open(directory.file(), Access::read_write);
  ASSERT_FALSE(first) << context;
  EXPECT_EQ(first.error().code, ErrorCode::store) << context;
  EXPECT_NE(first.error().message.find("kept as"), std::string::npos) << context << first.error().message;
  ASSERT_FALSE(kept_aside(directory).empty()) << context;
  EXPECT_EQ(read_file(kept_aside(directory)), damaged) << context << "the original is kept as it was";
  Store store = open_store(directory.file());
  EXPECT_FALSE(check_chain(store)->broken) << context;
  EXPECT_TRUE(store.run_started(example_run("after"))) << context;
}

std::string noise() {
  std::mt19937 random(7);
  std::string bytes(70000, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

TEST(Recover, ADatabaseOfNoiseIsKeptAside) {
  const TemporaryDirectory directory;
  write_file(directory.file(), std::string("SQLite format 3\0", 16) + noise());
  const Result<Store> reader = Store::open(directory.file(), Access::read_only);
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().code, ErrorCode::store);
  EXPECT_EQ(directory.names().size(), 1u) << "reading moves nothing";
  expect_recovery(directory, "");
}

TEST(Recover, ALogBesideAFileSaysThatItWasAStore) {
  const TemporaryDirectory directory;
  write_file(directory.file(), noise());
  write_file(directory.file().string() + "-wal", "what was written last");
  expect_recovery(directory, "");
}

TEST(Recover, TruncatedFilesGiveBackWhatIsLeft) {
  const TemporaryDirectory base;
  const auto texts = fill_store(base.file(), 8, 100);
  const std::string whole = read_file(base.file());
  std::size_t most = 0;
  for (const std::size_t cut : {std::size_t{1}, std::size_t{2}, std::size_t{100}, std::size_t{4095},
                                std::size_t{4096}, std::size_t{4097}, std::size_t{40960}, whole.size() / 2,
                                whole.size() - 4096, whole.size() - 600, whole.size() - 16}) {
    const TemporaryDirectory directory;
    write_file(directory.file(), whole.substr(0, whole.size() - cut));
    expect_recovery(directory, "cut by " + std::to_string(cut) + ": ");
    Store store = open_store(directory.file());
    std::size_t runs = 0;
    for (std::size_t r = 0; r < texts.size(); ++r) {
      const Result<RunRecord> run = store.load("r" + std::to_string(r));
      if (!run) continue;
      EXPECT_TRUE(holds_only_truth(*run, static_cast<int>(r), 100)) << cut;
      runs += text_of(*run) == texts[r] ? 1 : 0;
    }
    most = std::max(most, runs);
  }
  EXPECT_GE(most, texts.size() - 1) << "a byte missing at the end costs one event";
}

TEST(Recover, FlippedBitsAreNeverReadSilently) {
  const TemporaryDirectory base;
  const auto texts = fill_store(base.file(), 4, 60);
  const std::string whole = read_file(base.file());
  std::mt19937 random(11);
  int noticed = 0;
  constexpr int kFlips = 80;
  for (int i = 0; i < kFlips; ++i) {
    const TemporaryDirectory directory;
    std::string bytes = whole;
    // The header and the schema matter most, so every third flip lands there.
    const std::size_t at = random() % (i % 3 == 0 ? 4096 : bytes.size());
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
    write_file(directory.file(), bytes);
    const std::string context = "bit flipped in byte " + std::to_string(at) + ": ";
    bool trouble = false;
    {
      Result<Store> store = Store::open(directory.file(), Access::read_only);
      trouble = !store || !store->warnings().empty();
      for (std::size_t r = 0; store && r < texts.size(); ++r) {
        const Result<RunRecord> run = store->load("r" + std::to_string(r));
        trouble = trouble || !run;
        const bool true_or_refused = !run || holds_only_truth(*run, static_cast<int>(r), 60);
        EXPECT_TRUE(true_or_refused) << context;
      }
    }
    noticed += trouble ? 1 : 0;
    Result<Store> first = Store::open(directory.file(), Access::read_write);
    if (!first) {
      EXPECT_EQ(first.error().code, ErrorCode::store) << context << first.error().message;
      Result<Store> second = Store::open(directory.file(), Access::read_write);
      // A flipped version looks like a newer program's store: refused, and left alone.
      if (!second) {
        EXPECT_NE(second.error().message.find("newer"), std::string::npos)
            << context << second.error().message;
        continue;
      }
      EXPECT_FALSE(check_chain(*second)->broken) << context;
    }
  }
  EXPECT_GT(noticed, kFlips / 5) << "too few flips land where anything is read: the test would show nothing";
}

TEST(Recover, ADestroyedFirstPageCostsNothing) {
  const TemporaryDirectory base;
  const auto texts = fill_store(base.file(), 5, 100);
  for (const std::size_t destroyed : {std::size_t{16}, std::size_t{100}, std::size_t{4096}}) {
    const TemporaryDirectory directory;
    std::string bytes = read_file(base.file());
    bytes.replace(0, destroyed, destroyed, '\0');
    write_file(directory.file(), bytes);
    expect_recovery(directory, "without its first " + std::to_string(destroyed) + " bytes: ");
    Store store = open_store(directory.file());
    for (std::size_t r = 0; r < texts.size(); ++r) {
      const Result<RunRecord> run = store.load("r" + std::to_string(r));
      ASSERT_TRUE(run) << destroyed;
      EXPECT_TRUE(text_of(*run) == texts[r]) << destroyed;
    }
    for (const std::string& name : directory.names()) EXPECT_EQ(name.find("lent"), std::string::npos);
  }
}

TEST(Recover, OneDamagedEventCostsOneEvent) {
  const TemporaryDirectory directory;
  const auto texts = fill_store(directory.file(), 4);
  sql(directory.file(), "UPDATE events SET payload = '{}' WHERE seq = 31",
      true);  // the last cell of the last run
  expect_recovery(directory, "");
  Store store = open_store(directory.file());
  for (int r = 0; r < 3; ++r) EXPECT_EQ(text_of(*store.load("r" + std::to_string(r))), texts[r]);
  const Result<RunRecord> last = store.load("r3");
  ASSERT_TRUE(last);
  EXPECT_EQ(last->cells.size(), 3u);
  EXPECT_EQ(last->cells[2].stopped, "interrupted");
}

TEST(Recover, TheJournalComesAlong) {
  const TemporaryDirectory directory;
  Event event;
  event.run = "r";
  event.kind = kCellFinished;
  event.payload = text_of(example_cell(1));
  seal(event);
  ASSERT_TRUE(keep_in_journal(journal_files(directory.file(), {}), event));
  write_file(directory.file(), noise());
  ASSERT_FALSE(Store::open(directory.file(), Access::read_write));
  EXPECT_EQ(Store::open(directory.file(), Access::read_only)->cells()->size(), 1u);
}

TEST(Recover, TheLogOfADamagedStoreIsRead) {
  const TemporaryDirectory directory;
  // Events in the log only: the writer dies before it is copied back.
  const int status = in_child([&] {
    fill_store(directory.file(), 1);
    Store store = open_store(directory.file());
    (void)store.run_started(example_run("late"));
    ::kill(::getpid(), SIGKILL);
    return 0;
  });
  ASSERT_TRUE(killed(status));
  ASSERT_GT(std::filesystem::file_size(directory.file().string() + "-wal"), 0u);
  {
    const RecoveryReport report = recover_store(directory.file(), "for the test");
    EXPECT_EQ(report.recovered, 9);
    EXPECT_EQ(report.lost, 0);
    EXPECT_TRUE(std::filesystem::exists(report.kept_as.string() + "-wal"));
  }
  Store store = open_store(directory.file());
  EXPECT_TRUE(store.load("late"));
  EXPECT_EQ(store.load("r0")->status, "finished");
}

TEST(Recover, ALogWithoutItsStoreIsKeptAside) {
  const TemporaryDirectory directory;
  const int status = in_child([&] {
    fill_store(directory.file(), 1);
    Store store = open_store(directory.file());
    (void)store.run_started(example_run("late"));
    ::kill(::getpid(), SIGKILL);
    return 0;
  });
  ASSERT_TRUE(killed(status));
  std::filesystem::remove(directory.file());
  Store store = open_store(directory.file());
  EXPECT_TRUE(store.list()->empty()) << "the old log must not be replayed into a new store";
  EXPECT_FALSE(check_chain(store)->broken);
  const auto names = directory.names();
  EXPECT_TRUE(std::ranges::any_of(names, [](const std::string& name) {
    return name.starts_with("results.db.damaged-") && name.ends_with("-wal");
  }));
}

TEST(Recover, KilledAnywhereItIsFinishedByTheNext) {
  const TemporaryDirectory base;
  fill_store(base.file(), 3);
  sql(base.file(), "UPDATE events SET payload = '{}' WHERE seq = 23", true);
  int deaths = 0;
  for (int n = 1;; ++n) {
    const TemporaryDirectory directory;
    std::filesystem::copy_file(base.file(), directory.file());
    const std::string damaged = read_file(directory.file());
    const int status = in_child([&] {
      FaultVfs faults;
      faults.arm(Fault::kill, n);
      return Store::open(directory.file(), Access::read_write) ? 1 : 0;
    });
    if (returned(status, 0)) break;
    ASSERT_TRUE(killed(status)) << status;
    ++deaths;
    Result<Store> store = Store::open(directory.file(), Access::read_write);
    if (!store) store = Store::open(directory.file(), Access::read_write);
    ASSERT_TRUE(store) << n << store.error().message;
    EXPECT_EQ(store->load("r0")->cells.size(), 3u) << n;
    EXPECT_EQ(check_chain(*store)->events, 24) << n << ": 23 recovered and the announcement";
    EXPECT_EQ(read_file(kept_aside(directory)), damaged) << n;
    for (const std::string& name : directory.names())
      EXPECT_EQ(name.find("recovering"), std::string::npos) << n;
  }
  EXPECT_GT(deaths, 5);
}

TEST(Recover, AStoreThatAnotherProcessUsesIsNotMoved) {
  const TemporaryDirectory directory;
  fill_store(directory.file(), 4);
  int ready[2];
  int done[2];
  ASSERT_EQ(::pipe(ready), 0);
  ASSERT_EQ(::pipe(done), 0);
  const pid_t other = ::fork();
  if (other == 0) {
    ::close(done[1]);
    Store store = open_store(directory.file());
    char byte = 0;
    (void)!::write(ready[1], "x", 1);
    (void)!::read(done[0], &byte, 1);
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_FALSE(attempt([&] { recover_store(directory.file(), "for the test"); }));
  EXPECT_TRUE(std::filesystem::exists(directory.file()));
  ::close(done[1]);
  int status = 0;
  ::waitpid(other, &status, 0);
  EXPECT_TRUE(attempt([&] { recover_store(directory.file(), "for the test"); }));
}

}  // namespace
}  // namespace aisp::store::test
