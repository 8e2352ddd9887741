// SPDX-License-Identifier: Apache-2.0
// Processes against one store: killed at random points, and many at once.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include "tests/soak/crowd.h"
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

/// A second of it; ten minutes in `make soak`.
TEST(Processes, EightWritersAndSixteenReaders) {
  const TemporaryDirectory directory;
  const soak::CrowdReport report = soak::crowd({.seconds = 1, .directory = directory.path()});
  for (const std::string& problem : report.problems) ADD_FAILURE() << problem;
  EXPECT_GE(report.acknowledged, 8) << "every writer must get somewhere";
  EXPECT_EQ(report.found, report.acknowledged);
  EXPECT_GE(report.readings, 16);
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
