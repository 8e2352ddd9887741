// SPDX-License-Identifier: Apache-2.0
// Processes against one store: killed at random points, and many at once.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include "tests/soak/crowd.h"
#include "tests/soak/kill_rounds.h"
#include "tests/store/every_engine.h"
#include "tests/store/fixture.h"

namespace aisp::store::test {
namespace {

class Kill : public EveryEngine {};
class Processes : public EveryEngine {};

void survive(Engine engine, soak::KillOptions options) {
  const TemporaryDirectory directory;
  options.seed = 42;
  options.directory = directory.path();
  options.rounds_per_store = 10;
  if (engine == Engine::postgres) options.new_store = [] { return PostgresServer::shared()->new_store(); };
  const soak::KillReport report = soak::kill_rounds(options);
  EXPECT_EQ(report.lost, 0);
  EXPECT_EQ(report.partial, 0);
  EXPECT_EQ(report.broken, 0);
  EXPECT_GT(report.acknowledged, report.rounds / 4) << "the writers must get somewhere";
  EXPECT_GT(report.rounds, 0);
  for (const std::string& problem : report.problems) ADD_FAILURE() << problem;
}

TEST_P(Kill, OneWriterLosesNothing) { survive(GetParam(), {.rounds = 60, .writers = 1, .seconds = 30}); }
TEST_P(Kill, ThreeWritersLoseNothing) { survive(GetParam(), {.rounds = 20, .writers = 3, .seconds = 30}); }
/// Ten seconds of it; two minutes in `make soak`.
TEST_P(Kill, EightWritersLoseNothing) { survive(GetParam(), {.rounds = 1000, .writers = 8, .seconds = 10}); }

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
TEST_P(Processes, EightWritersAndSixteenReaders) {
  const Place place(GetParam());
  const soak::CrowdReport report =
      soak::crowd({.seconds = 1, .directory = place.path(), .server = on_sqlite() ? "" : place.file()});
  for (const std::string& problem : report.problems) ADD_FAILURE() << problem;
  EXPECT_GE(report.acknowledged, 8) << "every writer must get somewhere";
  EXPECT_EQ(report.found, report.acknowledged);
  EXPECT_GE(report.readings, 16);
}

TEST_P(Processes, ManyCreateOneStore) {
  for (int round = 0; round < 5; ++round) {
    const Place place(GetParam());
    const std::filesystem::path file = on_sqlite() ? place.path() / "new" / "results.db" : place.file();
    std::vector<pid_t> children;
    for (int i = 0; i < 6; ++i) {
      const pid_t child = ::fork();
      if (child == 0) {
        Store store = open_store(file);
        ::_exit(store.run_started(example_run("c" + std::to_string(i))) ? 0 : 1);
      }
      children.push_back(child);
    }
    EXPECT_EQ(failures(children), 0);
    EXPECT_EQ(open_store(file).list()->size(), 6u);
  }
}

INSTANTIATE_TEST_SUITE_P(On, Kill, kEveryEngine, engine_name);
INSTANTIATE_TEST_SUITE_P(On, Processes, kEveryEngine, engine_name);

}  // namespace
}  // namespace aisp::store::test
