// SPDX-License-Identifier: Apache-2.0
// What a run says about its cost beforehand, and what it does when its time or the machine's memory is not
// enough.
#include <tuple>

#include <gtest/gtest.h>

#include "aisp/store/store.h"
#include "tests/integration/aisp_process.h"
#include "tests/integration/run_json.h"

namespace aisp::testing {
namespace {

const std::vector<std::string> kTooLarge{"run",          "pace/sized", "--plugin",
                                         plugin("pace"), "--param",    "n=1000000"};

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(DryRun, RefusesWhatDoesNotFitAndStoresNothing) {
  Sandbox box;
  const Finished dry = box.run(with(kTooLarge, {"--dry-run", "--json"}));
  EXPECT_EQ(dry.exit_code, 4) << dry.err;
  const Json cell = only_cell(dry.json());
  EXPECT_EQ(cell["fits"], false);
  EXPECT_GT(cell["needed_bytes"].get<double>(), 4e12);
  EXPECT_FALSE(std::filesystem::exists(box.store()));
}

TEST(DryRun, HonoursTheMemoryLimit) {
  Sandbox box;
  // 2 x 4 bytes x 8192^2 and a reference: 1.5 GiB.
  const std::vector<std::string> words{"run",     "pace/sized", "--plugin", plugin("pace"),
                                       "--param", "n=8192",     "--dry-run"};
  EXPECT_EQ(box.run(words).exit_code, 0);
  const Finished limited = box.run(with(words, {"--memory-limit", "1e9"}));
  EXPECT_EQ(limited.exit_code, 4) << limited.out;
  EXPECT_NE(limited.out.find("refused: needs 1.5 GiB, and --memory-limit allows 954 MiB"), std::string::npos)
      << limited.out;
  const std::vector<std::string> real{"run", "pace/sized", "--plugin", plugin("pace"), "--param", "n=8192"};
  const Finished refused = box.run(with(real, {"--memory-limit", "1e9"}));
  EXPECT_EQ(refused.exit_code, 4) << "as foretold: " << refused.err;
  EXPECT_NE(refused.err.find("--memory-limit allows 954 MiB"), std::string::npos) << refused.err;
  EXPECT_EQ(box.run(with(real, {"--memory-limit", "1"})).exit_code, 2);
}

TEST(DryRun, EndsAsTheRunWould) {
  Sandbox box;
  box.give_ceilings();
  // No size, and one of 400 TB that could be counted.
  for (const auto& [size, code, says] :
       {std::tuple{"n=0", 3, "at least 1"}, std::tuple{"n=4100000", 4, "TiB"},
        std::tuple{"n=4294967296", 4, "EiB"}}) {
    const std::vector<std::string> words{"run", "pace/sized", "--plugin", plugin("pace"), "--param", size};
    const Finished run = box.run(words), dry = box.run(with(words, {"--dry-run"}));
    EXPECT_EQ(run.exit_code, code) << size << run.err;
    EXPECT_EQ(dry.exit_code, code) << size << dry.out;
    EXPECT_NE(run.err.find(says), std::string::npos) << run.err;
    EXPECT_NE(dry.out.find(says), std::string::npos) << dry.out;
    EXPECT_EQ(run.err.find("e+"), std::string::npos) << run.err;
  }
}

TEST(DryRun, SaysAboutAndGuessesWithoutHistory) {
  Sandbox box;
  const Finished dry = box.run({"run", "pace/fast", "--plugin", plugin("pace"), "--dry-run"});
  EXPECT_EQ(dry.exit_code, 0) << dry.err;
  EXPECT_NE(dry.out.find("about"), std::string::npos) << dry.out;
  EXPECT_NE(dry.out.find("guessed"), std::string::npos) << dry.out;
  EXPECT_EQ(dry.out.find("at most"), std::string::npos) << "nobody can promise that";
}

TEST(DryRun, TakesTheTimeOfTheLastRunOfTheCell) {
  Sandbox box;
  box.give_ceilings();
  const std::vector<std::string> words{"run", "pace/fast",  "--plugin", plugin("pace"), "--cell-seconds",
                                       "0.2", "--attempts", "1",        "--max-rounds", "24"};
  const Json run = box.run(with(words, {"--json"})).json();
  const Json cell = only_cell(box.run(with(words, {"--dry-run", "--json"})).json());
  EXPECT_EQ(cell.value("basis", ""), "run " + run.value("id", "none"));
  EXPECT_GT(cell["about_seconds"].get<double>(), 0);
}

TEST(DryRun, ARunInWhichTheClockWasSetBackIsNoMeasure) {
  Sandbox box;
  box.give_ceilings();
  const std::vector<std::string> words{"run", "pace/fast",  "--plugin", plugin("pace"), "--cell-seconds",
                                       "0.2", "--attempts", "1",        "--max-rounds", "24"};
  const Json first = box.run(with(words, {"--json"})).json();
  {
    Result<store::Store> store = store::Store::open(box.store(), store::Access::read_write);
    ASSERT_TRUE(store);
    RunRecord run = *store->load("latest");
    run.id = "set-back";
    ASSERT_EQ(run.cells.size(), 1u);
    run.cells[0].finished = "2001-01-01T00:00:00Z";
    ASSERT_TRUE(store->run_started(run) && store->cell_finished(run.id, run.cells[0]) &&
                store->run_finished(run.id, "finished", run.cells[0].finished));
  }
  EXPECT_EQ(box.run({"show", "latest", "--json"}).json().value("id", ""), "set-back") << "stored last";
  const Json cell = only_cell(box.run(with(words, {"--dry-run", "--json"})).json());
  EXPECT_EQ(cell.value("basis", ""), "run " + first.value("id", "none"));
}

TEST(DryRun, CostsGrowWithTheWork) {
  Sandbox box;
  const auto about = [&](const std::string& n) {
    return only_cell(box.run({"run", "ch09/sgemm", "--param", "n=" + n, "--param", "threads=1", "--dry-run",
                              "--json"})
                         .json())
        .value("about_seconds", 0.0);
  };
  EXPECT_GT(about("2048"), about("256"));
}

TEST(RefusedCell, IsStoredWithItsReasonAndTheRunIsFinished) {
  Sandbox box;
  box.give_ceilings();
  const Finished run = box.run(kTooLarge);
  EXPECT_EQ(run.exit_code, 4) << run.out;
  const Json stored = box.run({"show", "latest", "--json"}).json();
  EXPECT_EQ(stored.value("status", ""), "finished");
  const Json cell = only_cell(stored);
  EXPECT_EQ(cell.value("stopped", ""), "refused");
  EXPECT_NE(cell["attempts"][0]["detail"].get<std::string>().find("needs"), std::string::npos) << cell;
  const Finished shown = box.run({"show", "latest"});
  EXPECT_NE(shown.out.find("1 refused"), std::string::npos) << shown.out;
  EXPECT_EQ(box.run({"run", "--resume"}).exit_code, 2) << "there is nothing to resume";
  EXPECT_EQ(box.run({"store", "check"}).exit_code, 0);
}

TEST(RefusedCell, IsRefusedBeforeTheCeilingsAreMeasured) {
  Sandbox box;
  const Finished run = box.run(kTooLarge);
  EXPECT_EQ(run.exit_code, 4) << run.out;
  EXPECT_NE(run.err.find("needs"), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("ceilings"), std::string::npos) << run.err;
  EXPECT_EQ(only_cell(box.run({"show", "latest", "--json"}).json()).value("stopped", ""), "refused");
}

TEST(TimeBudget, BoundsTheRunningCellAndSaysWhatWasNotStarted) {
  Sandbox box;
  box.give_ceilings();
  const Finished run = box.run({"run", "pace/fast", "pace/slow", "pace/instant", "--plugin", plugin("pace"),
                                "--time-budget", "0.5", "--cell-seconds", "600", "--precision", "1e-5",
                                "--max-rounds", "20000", "--attempts", "1", "--waive", "timer_resolves"});
  ASSERT_FALSE(run.timed_out) << "the cell that was running went on";
  EXPECT_TRUE(run.exit_code == 4 || run.exit_code == 1) << run.err;
  EXPECT_NE(run.err.find("time budget spent"), std::string::npos) << run.err;
  const Json stored = box.run({"show", "latest", "--json"}).json();
  EXPECT_EQ(stored.value("status", ""), "out of time");
  EXPECT_LT(stored["cells"].size(), 3u);
}

TEST(Resume, TakesNoOtherFlags) {
  Sandbox box;
  const Finished flagged = box.run({"run", "--resume", "--cell-seconds", "99"});
  EXPECT_EQ(flagged.exit_code, 2) << flagged.out;
  EXPECT_NE(flagged.err.find("--cell-seconds"), std::string::npos) << flagged.err;
  const Finished two = box.run({"run", "--resume", "one", "two"});
  EXPECT_EQ(two.exit_code, 2) << two.out;
  EXPECT_NE(two.err.find("'two'"), std::string::npos) << two.err;
}

TEST(Resume, SaysWhichTimeBudgetCounts) {
  Sandbox box;
  box.give_ceilings();
  box.run({"run", "pace/fast", "--plugin", plugin("pace"), "--time-budget", "1e-6"});
  const Finished typed = box.run({"run", "--resume", "--time-budget", "77"});
  EXPECT_EQ(typed.exit_code, 2) << typed.out;
  EXPECT_NE(typed.err.find("its own time budget counts, in full for what is left: 1e-06 s"),
            std::string::npos)
      << typed.err;
  box.environment["AISP_TIME_BUDGET"] = "77";
  const Finished variable = box.run({"run", "--resume"});
  EXPECT_NE(variable.err.find("1e-06 s; the 77 s of AISP_TIME_BUDGET or aisp.toml do not"), std::string::npos)
      << variable.err;
}

TEST(Resume, OfARunThatWasBegunOnAnotherMachineIsRefused) {
  Sandbox box;
  RunRecord run{.id = "elsewhere", .status = "running"};
  run.manifest.hardware = "another machine";
  run.manifest.config.targets = {"pace/fast"};
  run.manifest.config.plugins = {plugin("pace")};
  {
    Result<store::Store> store = store::Store::open(box.store(), store::Access::read_write);
    ASSERT_TRUE(store);
    ASSERT_TRUE(store->run_started(run));
  }
  const Finished resumed = box.run({"run", "--resume", "--dry-run"});
  EXPECT_EQ(resumed.exit_code, 4) << resumed.out << resumed.err;
  EXPECT_NE(resumed.err.find("was begun on another machine"), std::string::npos) << resumed.err;
}

TEST(Report, APlaceThatCannotBeWrittenIsNoticedBeforeMeasuring) {
  Sandbox box;
  const Finished run =
      box.run({"run", "pace/fast", "--plugin", plugin("pace"), "--report", "/no/such/folder/report.html"});
  EXPECT_NE(run.exit_code, 0);
  EXPECT_NE(run.err.find("/no/such/folder"), std::string::npos) << run.err;
  EXPECT_FALSE(std::filesystem::exists(box.store())) << "nothing was measured";
}

}  // namespace
}  // namespace aisp::testing
