// SPDX-License-Identifier: Apache-2.0
// Processes against one store: killed at random points, and many at once.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include "aisp/store/chain.h"
#include "tests/soak/kill_rounds.h"
#include "tests/store/fixture.h"

namespace aisp::store::test {
namespace {

void survive(int rounds, int writers) {
  const TemporaryDirectory directory;
  const soak::KillReport report = soak::kill_rounds({.rounds = rounds,
                                                     .writers = writers,
                                                     .seed = 42,
                                                     .directory = directory.path(),
                                                     .rounds_per_store = 10});
  EXPECT_EQ(report.lost, 0);
  EXPECT_EQ(report.partial, 0);
  EXPECT_EQ(report.broken, 0);
  EXPECT_GT(report.acknowledged, rounds / 4) << "the writers must get somewhere";
  for (const std::string& problem : report.problems) ADD_FAILURE() << problem;
}

TEST(Kill, OneWriterLosesNothing) { survive(60, 1); }
TEST(Kill, ThreeWritersLoseNothing) { survive(20, 3); }

/// Waits for all; how many did not return 0.
int failures(const std::vector<pid_t>& children) {
  int failed = 0;
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    failed += returned(status, 0) ? 0 : 1;
  }
  return failed;
}

TEST(Processes, EightWritersAndSixteenReaders) {
  constexpr int kWriters = 8;
  constexpr int kReaders = 16;
  constexpr int kCells = 12;
  const TemporaryDirectory directory;
  fill_store(directory.file(), 1);
  std::vector<pid_t> children;
  for (int i = 0; i < kWriters + kReaders; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      bool good = true;
      if (i < kWriters) {
        const std::string run = "w" + std::to_string(i);
        Store store = open_store(directory.file());
        good = bool(store.run_started(example_run(run)));
        for (int c = 0; good && c < kCells; ++c) good = bool(store.cell_finished(run, example_cell(c)));
      } else {
        for (int r = 0; good && r < 10; ++r) {
          Result<Store> store = Store::open(directory.file(), Access::read_only);
          good = store && store->warnings().empty() && store->load("r0") && store->list() &&
                 check_chain(*store) && !check_chain(*store)->broken;
        }
      }
      ::_exit(good ? 0 : 1);
    }
    children.push_back(child);
  }
  EXPECT_EQ(failures(children), 0);
  Store store = open_store(directory.file());
  for (int w = 0; w < kWriters; ++w)
    EXPECT_EQ(store.load("w" + std::to_string(w))->cells.size(), std::size_t{kCells});
  const ChainReport report = *check_chain(store);
  EXPECT_FALSE(report.broken);
  EXPECT_EQ(report.events, 8 + kWriters * (kCells + 1));
}

TEST(Processes, ManyCreateOneStore) {
  for (int round = 0; round < 5; ++round) {
    const TemporaryDirectory directory;
    std::vector<pid_t> children;
    for (int i = 0; i < 6; ++i) {
      const pid_t child = ::fork();
      if (child == 0) {
        Store store = open_store(directory.path() / "new" / "results.db");
        ::_exit(store.run_started(example_run("c" + std::to_string(i))) ? 0 : 1);
      }
      children.push_back(child);
    }
    EXPECT_EQ(failures(children), 0);
    EXPECT_EQ(open_store(directory.path() / "new" / "results.db").list()->size(), 6u);
  }
}

}  // namespace
}  // namespace aisp::store::test
