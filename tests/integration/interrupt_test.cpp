// SPDX-License-Identifier: Apache-2.0
// Ctrl-C, SIGTERM, kill -9 and a stopped worker: what was finished is kept, the rest can be done later.
#include <thread>

#include <gtest/gtest.h>

#include "tests/integration/aisp_process.h"
#include "tests/integration/run_json.h"

namespace aisp::testing {
namespace {

class Interrupted : public ::testing::Test {
 protected:
  Interrupted() {
    box.give_ceilings();
    box.environment["AISP_TEST_BEACON"] = beacon.string();
  }

  /// A run of two cells, caught in the middle of the second.
  Process caught(const std::string& attempts = "2") {
    Process run =
        box.start({"run", "--plugin", plugin("pace"), "pace/fast", "pace/slow", "--json", "--cell-seconds",
                   "600", "--precision", "1e-5", "--max-rounds", "24", "--attempts", attempts});
    EXPECT_TRUE(eventually([&] { return std::filesystem::exists(beacon); })) << "the second cell never began";
    return run;
  }

  void expect_resumable() {
    const Finished shown = box.run({"show", "latest", "--json"});
    EXPECT_EQ(shown.json().value("status", ""), "interrupted") << shown.err;
    box.environment.erase("AISP_TEST_BEACON");  // the rest at full speed
    const Finished resumed = box.run({"run", "--resume", "--json"});
    EXPECT_NE(resumed.exit_code, 8) << resumed.err;
    EXPECT_NE(resumed.exit_code, 70) << resumed.err;
    const Json run = resumed.json();
    ASSERT_TRUE(run.contains("cells")) << resumed.err;
    EXPECT_EQ(run["id"], shown.json()["id"]);
    EXPECT_EQ(run["status"], "finished");
    ASSERT_EQ(run["cells"].size(), 2u);
    EXPECT_EQ(run["cells"][0]["workload"], "pace/fast");
    EXPECT_EQ(run["cells"][1]["workload"], "pace/slow");
    EXPECT_TRUE(was_measured(variant_of(run["cells"][1], "paced")));
    EXPECT_EQ(box.run({"run", "--resume"}).exit_code, 2) << "nothing is left to resume";
  }

  Sandbox box;
  std::filesystem::path beacon = box.root() / "beacon";
};

TEST_F(Interrupted, NobodyElseResumesOrPrunesWhatIsStillMeasured) {
  Process run = caught();
  const Finished second = box.run({"run", "--resume"});
  EXPECT_EQ(second.exit_code, 2) << second.out;
  EXPECT_NE(second.err.find("still being measured"), std::string::npos) << second.err;
  const Json measured = box.run({"show", "--runs", "--json"}).json();
  ASSERT_FALSE(measured["runs"].empty());
  EXPECT_EQ(measured["runs"][0]["status"], "running");
  const Finished pruned = box.run({"store", "prune", "--keep", "0"});
  EXPECT_EQ(pruned.exit_code, 0) << pruned.err;
  EXPECT_EQ(pruned.out.find(measured["runs"][0]["id"].get<std::string>()), std::string::npos) << pruned.out;
  run.send(SIGTERM);
  EXPECT_EQ(run.wait().exit_code, 143);
  expect_resumable();
}

TEST_F(Interrupted, ByCtrlCKeepsFinishedCellsAndResumes) {
  Process run = caught();
  run.send(SIGINT);
  const Finished ended = run.wait();
  EXPECT_EQ(ended.exit_code, 130) << ended.err;
  EXPECT_NE(ended.err.find("--resume"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("1 finished cell is kept"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("does the other 1 of 2"), std::string::npos) << ended.err;
  const Json json = ended.json();
  ASSERT_TRUE(json.contains("cells")) << ended.out;
  EXPECT_EQ(json["cells"][0]["workload"], "pace/fast");
  EXPECT_TRUE(was_measured(variant_of(json["cells"][0], "honest")));
  ASSERT_EQ(json["cells"].size(), 2u);
  EXPECT_EQ(json["cells"][1]["stopped"], "interrupted");
  EXPECT_NE(json["cells"][1]["validity"], "failed") << "nothing failed: the user wished it";
  EXPECT_EQ(box.run({"show", "latest"}).out.find("failed"), std::string::npos);
  EXPECT_TRUE(box.alone());
  EXPECT_EQ(box.leftovers(), std::vector<std::string>{});
  expect_resumable();
}

TEST_F(Interrupted, IsFoundBehindALaterRunThatIsFinished) {
  Process run = caught();
  run.send(SIGINT);
  const std::string interrupted = run.wait().json().value("id", "");
  box.environment.erase("AISP_TEST_BEACON");
  const std::string finished = box.run({"run", "--plugin", plugin("pace"), "pace/fast", "--json",
                                        "--cell-seconds", "0.2", "--max-rounds", "24", "--attempts", "1"})
                                   .json()
                                   .value("id", "");
  const Finished refused = box.run({"run", "--resume", finished});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("the latest interrupted run is " + interrupted), std::string::npos)
      << refused.err;
  EXPECT_EQ(box.run({"run", "--resume", "--json"}).json().value("id", ""), interrupted);
  const Finished none = box.run({"run", "--resume"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("no run in this store was interrupted"), std::string::npos) << none.err;
}

TEST_F(Interrupted, TheCellNamesNobodyWhoWasNotAskedFor) {
  Process run = box.start({"run", "--plugin", plugin("pace"), "pace/slow", "--variant", "paced", "--json",
                           "--cell-seconds", "600", "--precision", "1e-5", "--attempts", "1"});
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(beacon); })) << "the cell never began";
  run.send(SIGINT);
  const Json cell = only_cell(run.wait().json());
  EXPECT_EQ(cell.value("stopped", ""), "interrupted");
  ASSERT_EQ(cell["variants"].size(), 2u) << cell["variants"];
  EXPECT_EQ(cell["variants"][0]["name"], "honest") << "the baseline";
  EXPECT_EQ(cell["variants"][1]["name"], "paced");
}

TEST_F(Interrupted, WhileMemoryIsMeasuredTheCellIsNotComplete) {
  Process run = box.start({"run", "--plugin", plugin("pace"), "pace/memory", "--json", "--cell-seconds",
                           "0.2", "--max-rounds", "24", "--attempts", "1"});
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(beacon); })) << "its memory was not measured";
  run.send(SIGINT);
  const Finished ended = run.wait();
  EXPECT_EQ(ended.exit_code, 130) << ended.err;
  EXPECT_EQ(only_cell(ended.json()).value("stopped", ""), "interrupted");
  box.environment.erase("AISP_TEST_BEACON");
  const Finished resumed = box.run({"run", "--resume", "--json"});
  EXPECT_FALSE(variant_of(only_cell(resumed.json()), "alone").value("memory_peaks", Json::array()).empty())
      << resumed.err;
}

TEST_F(Interrupted, AVerificationCallsNothingBad) {
  Process run = box.start({"verify", "--plugin", plugin("pace"), "pace/slow"});
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(beacon); })) << "nothing was verified";
  run.send(SIGINT);
  const Finished ended = run.wait();
  EXPECT_EQ(ended.exit_code, 130) << ended.err;
  EXPECT_EQ(ended.out.find("BAD"), std::string::npos) << ended.out;
  EXPECT_NE(ended.err.find("interrupted: 1 of 1 cells were not verified"), std::string::npos) << ended.err;
}

TEST_F(Interrupted, AComparisonSaysWhereItIsKept) {
  Process run = box.start({"compare", "pace/slow", "honest", "paced", "--plugin", plugin("pace"),
                           "--cell-seconds", "600", "--precision", "1e-5"});
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(beacon); })) << "nothing was compared";
  run.send(SIGINT);
  const Finished ended = run.wait();
  EXPECT_EQ(ended.exit_code, 130) << ended.err;
  EXPECT_NE(ended.err.find("is kept as run"), std::string::npos) << ended.err;
}

TEST_F(Interrupted, ByTermEndsWith143) {
  Process run = caught();
  run.send(SIGTERM);
  const Finished ended = run.wait();
  EXPECT_EQ(ended.exit_code, 143) << ended.err;
  EXPECT_TRUE(box.alone());
  EXPECT_EQ(box.leftovers(), std::vector<std::string>{});
}

TEST_F(Interrupted, ByTheEndOfItsTerminalKeepsWhatWasFinished) {
  Process run = caught();
  run.send(SIGHUP);
  const Finished ended = run.wait();
  EXPECT_EQ(ended.exit_code, 128 + SIGHUP) << ended.err;
  EXPECT_EQ(box.run({"show", "latest", "--json"}).json().value("status", ""), "interrupted");
  EXPECT_TRUE(box.alone());
  EXPECT_EQ(box.leftovers(), std::vector<std::string>{});
}

TEST_F(Interrupted, ByKillOfTheCoordinatorTakesTheWorkersAlongAndResumes) {
  Process run = caught();
  EXPECT_FALSE(run.children().empty());
  run.send(SIGKILL);
  const Finished ended = run.wait();
  EXPECT_EQ(ended.signal, SIGKILL);
  EXPECT_TRUE(box.alone()) << "workers die with their coordinator";
  expect_resumable();
  EXPECT_EQ(box.leftovers(), std::vector<std::string>{}) << "the next run tidies up";
}

TEST_F(Interrupted, ByKillOfAWorkerIsNamed) {
  Process run = caught("1");
  const std::vector<pid_t> workers = run.children();
  ASSERT_FALSE(workers.empty());
  for (const pid_t worker : workers) kill(worker, SIGKILL);
  const Finished ended = run.wait();
  EXPECT_EQ(ended.exit_code, 8) << ended.err;
  EXPECT_NE(ended.out.find("killed"), std::string::npos) << ended.out.substr(0, 2000);
  EXPECT_TRUE(box.alone());
}

TEST_F(Interrupted, ByStopOfTheCoordinatorBlamesNobody) {
  Process run = box.start({"run", "--plugin", plugin("pace"), "pace/slow", "--json", "--cell-seconds", "2",
                           "--max-rounds", "24", "--attempts", "1", "--timeout", "3"});
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(beacon); }));
  run.send(SIGSTOP);
  std::this_thread::sleep_for(std::chrono::seconds(4));
  run.send(SIGCONT);
  const Finished ended = run.wait();
  EXPECT_NE(ended.exit_code, 8) << ended.out.substr(0, 2000);
  EXPECT_EQ(ended.out.find("timed out"), std::string::npos);
  EXPECT_TRUE(was_measured(variant_of(only_cell(ended.json()), "paced")));
}

TEST_F(Interrupted, ByAChangeOfItsConfigurationIsInvalid) {
  const auto config = box.write("own.toml", "equivalence = 0.02\n");
  Process run = box.start({"run", "--plugin", plugin("pace"), "pace/slow", "--json", "--cell-seconds", "1",
                           "--max-rounds", "24", "--attempts", "1", "--config", config.string()});
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(beacon); }));
  box.write("own.toml", "equivalence = 0.5\n");
  const Finished ended = run.wait();
  EXPECT_EQ(ended.exit_code, 1) << ended.err;
  const Json cell = only_cell(ended.json());
  EXPECT_TRUE(rejected_by(variant_of(cell, "honest"), "config_unchanged"));
  EXPECT_EQ(ended.json()["manifest"]["config"]["equivalence"], 0.02) << "the run used the frozen copy";
}

TEST_F(Interrupted, ByStopOfAWorkerDiscardsTheRound) {
  Process run = caught("1");
  const std::vector<pid_t> workers = run.children();
  ASSERT_EQ(workers.size(), 1u);
  // Several times, since the first may fall into the warm-up.
  for (int i = 0; i < 4; ++i) {
    kill(workers.front(), SIGSTOP);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    kill(workers.front(), SIGCONT);
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
  }
  const Finished ended = run.wait();
  const Json json = ended.json();
  ASSERT_TRUE(json.contains("cells")) << ended.err;
  int discarded = 0;
  for (const Json& round : json["cells"][1]["rounds"]) {
    if (round["discarded"].get<std::string>().find("stopped and continued") != std::string::npos) ++discarded;
  }
  EXPECT_GT(discarded, 0);
  const Json sampling = variant_of(json["cells"][1], "honest")["evidence"]["sampling"];
  EXPECT_EQ(sampling["rounds_discarded"], discarded);
  EXPECT_FALSE(sampling["discard_reasons"].empty());
}

}  // namespace
}  // namespace aisp::testing
