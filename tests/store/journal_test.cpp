// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/journal.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "aisp/store/chain.h"
#include "aisp/store/database.h"
#include "aisp/store/postgres_connection.h"
#include "tests/store/every_engine.h"
#include "tests/store/fault_vfs.h"
#include "tests/store/fixture.h"

namespace aisp::store::test {
namespace {

Event cell_event(int number) {
  Event event;
  event.run = "r0";
  event.kind = kCellFinished;
  event.workload = "w" + std::to_string(number);
  event.payload = text_of(example_cell(100 + number));
  seal(event);
  return event;
}

/// A store with one run, and a journal of `count` cells waiting beside it.
class Journal : public testing::Test {
 protected:
  Journal() { fill_store(directory_.file(), 1); }

  void keep(int count) {
    for (int i = 0; i < count; ++i) {
      const auto kept = keep_in_journal(journal_files(directory_.file(), {}), cell_event(i));
      ASSERT_TRUE(kept) << kept.error().message;
      journal_ = *kept;
    }
  }
  std::size_t stored_cells() {
    Store store = std::move(*Store::open(directory_.file(), Access::read_only));
    return store.cells()->size();
  }

  TemporaryDirectory directory_;
  std::filesystem::path journal_;
};

/// The same, whatever the engine: a store on a server has its journal in the fallback directory.
class Journals : public EveryEngine {
 protected:
  void SetUp() override {
    EveryEngine::SetUp();
    if (IsSkipped()) return;
    place_ = std::make_unique<Place>(GetParam());
    fill_store(place_->file(), 1);
  }
  JournalFiles files() const { return journal_files(place_->file(), place_->options().fallback); }
  Store open() const { return open_store(place_->file(), place_->options()); }
  void keep(int count) {
    for (int i = 0; i < count; ++i) {
      const auto kept = keep_in_journal(files(), cell_event(i));
      ASSERT_TRUE(kept) << kept.error().message;
      journal_ = *kept;
    }
  }
  std::size_t stored_cells() { return open().cells()->size(); }
  /// A second connection, past the store.
  Database other(std::chrono::milliseconds patience) const {
    if (on_sqlite()) return {place_->file(), OpenMode::read_write, patience};
    return Database(std::make_unique<PostgresConnection>(place_->file().string(), false, patience));
  }

  std::unique_ptr<Place> place_;
  std::filesystem::path journal_;
};

TEST_P(Journals, IsImportedOnceAndRemoved) {
  keep(3);
  struct stat status{};
  ASSERT_EQ(::stat(journal_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600);
  const std::string copy = read_file(journal_);
  {
    Result<Store> reader = Store::open(place_->file(), Access::read_only, place_->options());
    ASSERT_EQ(reader->warnings().size(), 1u) << "readers say that results wait";
  }
  {
    Store store = open();
    ASSERT_EQ(store.warnings().size(), 1u);
    EXPECT_NE(store.warnings()[0].find("3 results imported"), std::string::npos);
    EXPECT_EQ(store.load("r0")->cells.size(), 6u);
  }
  EXPECT_FALSE(std::filesystem::exists(journal_));
  // The same journal again, as after a death between the commit and the removal.
  write_file(journal_, copy);
  Store store = open();
  EXPECT_TRUE(store.warnings().empty());
  EXPECT_EQ(store.load("r0")->cells.size(), 6u);
  EXPECT_EQ(check_chain(store)->events, 8 + 3);
}

TEST_P(Journals, ATornLastLineIsIgnoredWithAWarning) {
  keep(2);
  const std::string whole = read_file(journal_);
  for (const std::size_t cut : {std::size_t{1}, std::size_t{2}, std::size_t{50}, whole.size() / 2 - 2}) {
    write_file(journal_, whole.substr(0, whole.size() - cut));
    Store store = open();
    const bool line_was_whole = cut == 1;  // only its end is missing
    EXPECT_EQ(store.warnings().empty() || store.warnings().back().find("torn") == std::string::npos,
              line_was_whole)
        << cut;
    EXPECT_FALSE(std::filesystem::exists(journal_));
  }
  EXPECT_EQ(stored_cells(), 5u);
}

TEST_P(Journals, ALineAfterATornOneIsSafe) {
  keep(1);
  write_file(journal_, read_file(journal_) + "{\"id\":\"torn");
  const auto kept = keep_in_journal({journal_}, cell_event(7));
  ASSERT_TRUE(kept);
  Store store = open();
  EXPECT_EQ(store.load("r0")->cells.size(), 5u);
}

TEST_F(Journal, DamagedLinesAreKeptAside) {
  keep(3);
  std::string text = read_file(journal_);
  text[text.find('\n') + 200] ^= 1;
  write_file(journal_, text);
  {
    Store store = open_store(directory_.file());
    EXPECT_EQ(store.load("r0")->cells.size(), 5u);
    EXPECT_NE(store.warnings().back().find("1 unreadable"), std::string::npos);
  }
  ASSERT_EQ(directory_.names().size(), 2u);
  EXPECT_EQ(read_file(directory_.path() / directory_.names()[1]), text);
}

TEST_P(Journals, NoiseIsNoEvent) {
  const auto journal = files()[0];
  std::filesystem::create_directories(journal.parent_path());
  for (const std::string& noise :
       {std::string("\n\n\n"), std::string("[]\n{}\nnull\n\"x\"\n"), std::string(5000, '['),
        std::string(3000, '\0') + "\n", std::string("\xff\xfe\n")}) {
    write_file(journal, noise);
    Store store = open();
    EXPECT_EQ(store.cells()->size(), 3u);
  }
}

TEST_F(Journal, AnImportKilledAnywhereIsRepeatedWithoutDoubles) {
  keep(3);
  int deaths = 0;
  for (int n = 1;; ++n) {
    const TemporaryDirectory other;
    std::filesystem::copy_file(directory_.file(), other.file());
    std::filesystem::copy_file(journal_, other.file().string() + ".pending.jsonl");
    const int status = in_child([&] {
      FaultVfs faults;
      faults.arm(Fault::kill, n);
      const Store store = open_store(other.file());
      return 0;
    });
    if (returned(status, 0)) break;
    ASSERT_TRUE(killed(status));
    ++deaths;
    Store store = open_store(other.file());
    EXPECT_EQ(store.load("r0")->cells.size(), 6u) << n;
    EXPECT_EQ(check_chain(store)->events, 8 + 3) << n;
  }
  EXPECT_GT(deaths, 4);
}

TEST_P(Journals, ALockedStoreLosesNothing) {
  // Held from this process through a second connection: the locks tell connections apart.
  OpenOptions hasty = place_->options();
  hasty.busy_timeout = std::chrono::milliseconds(50);
  Store store = open_store(place_->file(), hasty);
  {
    const Database rival = other(std::chrono::milliseconds(0));
    const Transaction held(rival);
    const Status stored = store.cell_finished("r0", example_cell(50));
    ASSERT_FALSE(stored);
    EXPECT_EQ(stored.error().code, ErrorCode::io);
    EXPECT_NE(stored.error().message.find("locked"), std::string::npos);
    EXPECT_FALSE(store.lost()) << "it is in the journal";
    EXPECT_EQ(Store::open(place_->file(), Access::read_write, hasty).error().code, ErrorCode::io);
    EXPECT_TRUE(Store::open(place_->file(), Access::read_only, place_->options())->load("r0"))
        << "readers do not wait";
  }
  EXPECT_TRUE(store.cell_finished("r0", example_cell(51)));
  Store again = open();
  EXPECT_EQ(again.load("r0")->cells.size(), 5u);
}

TEST_F(Journal, TheFallbackDirectoryServesWhenTheStoresOwnCannot) {
  const auto fallback = directory_.path() / "state" / "aisp";
  const auto files = journal_files(directory_.file(), fallback);
  ASSERT_EQ(files.size(), 2u);
  std::filesystem::create_directory(files[0]);  // the first place is taken
  const auto kept = keep_in_journal(files, cell_event(1));
  ASSERT_TRUE(kept) << kept.error().message;
  EXPECT_EQ(*kept, files[1]);
  std::filesystem::remove(files[0]);
  Store store = open_store(directory_.file(), {.fallback = fallback});
  EXPECT_EQ(store.load("r0")->cells.size(), 4u);
  EXPECT_TRUE(std::filesystem::is_empty(fallback));
  EXPECT_NE(journal_files("/a/x.db", fallback)[1], journal_files("/b/x.db", fallback)[1]);
}

TEST_F(Journal, WithoutAnyPlaceTheErrorSaysSo) {
  std::filesystem::create_directory(directory_.file().string() + ".pending.jsonl");
  FaultVfs faults;
  Store store = open_store(directory_.file());
  faults.arm(Fault::full, 1);
  const Status stored = store.cell_finished("r0", example_cell(5));
  ASSERT_FALSE(stored);
  EXPECT_NE(stored.error().hint.find("could not be kept"), std::string::npos);
}

TEST_P(Journals, WritersAndImportersTogetherLoseNothing) {
  constexpr int kWriters = 3;
  constexpr int kEach = 20;
  const auto places = files();
  std::vector<pid_t> children;
  for (int w = 0; w < kWriters + 1; ++w) {
    const pid_t child = ::fork();
    if (child == 0) {
      if (w == kWriters) {  // imports all the time
        for (int i = 0; i < 30; ++i) open();
        ::_exit(0);
      }
      for (int i = 0; i < kEach; ++i) {
        if (!keep_in_journal(places, cell_event(1000 * w + i))) ::_exit(1);
      }
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(returned(status, 0));
  }
  Store store = open();
  EXPECT_EQ(store.cells()->size(), 3u + kWriters * kEach);
  EXPECT_FALSE(check_chain(store)->broken);
}

INSTANTIATE_TEST_SUITE_P(On, Journals, kEveryEngine, engine_name);

}  // namespace
}  // namespace aisp::store::test
