// SPDX-License-Identifier: Apache-2.0
// What the coordinator adds to what workers report: commitments compared, configuration compared, floors, and
// a deadline for everything.
#include "aisp/harness/coordinator.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <unistd.h>

#include "aisp/core/exit_code.h"
#include "aisp/core/registry.h"
#include "aisp/device/clock.h"
#include "aisp/harness/anchor_search.h"
#include "aisp/harness/interrupt.h"
#include "example.h"

namespace aisp::harness {
namespace {

void steady(const Call& call) {
  const auto& clock = device::Clock::instance();
  for (const double end = clock.now_ns() + 50e3; clock.now_ns() < end;) {
  }
  honest(call);
}

const Registration plain{example("coordinator/plain", {{"base", steady}, {"other", steady}})};
const Registration crashing{example(
    "coordinator/crash",
    {{"base", CallFunction([](const Call&) { std::abort(); })}, {"other", steady}, {"third", steady}})};
/// Asks the coordinator to stop, as Ctrl-C does; a second time would end it at once.
void interrupt_once() {
  const char* path = std::getenv("AISP_TEST_INTERRUPT");
  if (path != nullptr && open(path, O_CREAT | O_EXCL | O_CLOEXEC, 0600) >= 0) kill(getppid(), SIGINT);
}

const Registration searched{[] {
  Workload workload = example(
      "coordinator/search", {{"base", steady}, {"library", CallFunction([](const Call& call) {
                                                  interrupt_once();
                                                  // Faster under one setting, absent under another.
                                                  const char* setting = std::getenv("AISP_TEST_SETTING");
                                                  const std::string value = setting == nullptr ? "" : setting;
                                                  if (value == "absent") std::abort();
                                                  if (value != "good") steady(call);
                                                  steady(call);
                                                })}});
  workload.variants[1].rung = Rung::anchor;
  workload.variants[1].search = Search{"AISP_TEST_SETTING", {"poor", "absent", "good"}};
  return workload;
}()};

/// As kernels for another device than this one.
const Registration elsewhere{[] {
  Workload workload = example("coordinator/elsewhere", {{"base", steady}, {"other", steady}});
  workload.variants[0].unavailable = [](const Params&) {
    return std::optional<std::string>("needs sm_90a, this device is sm_80");
  };
  return workload;
}()};

struct Asked {
  std::string id = "coordinator/plain";
  Ceilings ceilings = {};
  std::function<std::string()> rehash = {};
  double timeout = 10;
  std::vector<std::string> variants = {};
};

Result<CellResult> measured(Asked asked) {
  const Workload* workload = Registry::instance().find(asked.id);
  const PlannedCell cell{describe(*workload), cell_of(*workload).sizes()};
  RunConfig config;
  config.looks = {12};
  config.cell_seconds = 5;
  config.timeout_seconds = asked.timeout;
  config.pin = false;
  config.variants = asked.variants;
  return measure_cell({.cell = cell,
                       .config = config,
                       .ceilings = asked.ceilings,
                       .config_hash = "hash",
                       .rehash = asked.rehash});
}

Level level(const CellResult& cell, const std::string& guard) {
  for (const Finding& finding : cell.find("other")->findings) {
    if (finding.guard == guard) return finding.level;
  }
  throw std::invalid_argument("no finding of " + guard);
}

/// An environment variable for as long as one test needs it.
struct Variable {
  Variable(const char* variable, const char* value) : name(variable) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name); }
  const char* name;
};

TEST(Coordinator, AnHonestCellPassesTheGuardsOfSeedConfigurationAndAttempts) {
  const Result<CellResult> cell = measured({});
  ASSERT_TRUE(cell) << cell.error().message;
  for (const char* guard : {"seed_matches", "config_unchanged", "program_unchanged", "all_attempts_finished",
                            "every_answer_checked", "inputs_fresh", "answer_right", "enough_samples"}) {
    EXPECT_EQ(level(*cell, guard), Level::pass) << guard;
  }
  EXPECT_EQ(cell->attempts.size(), 3u);
  for (const AttemptRecord& attempt : cell->attempts) EXPECT_FALSE(attempt.seed.empty());
  EXPECT_TRUE(cell->find("other")->memory.peak_bytes) << "measured in an attempt of its own";
}

TEST(Coordinator, ASeedOtherThanTheCommittedOneIsRejected) {
  const Variable lie("AISP_TEST_LIE", "seed");
  const Result<CellResult> cell = measured({});
  ASSERT_TRUE(cell);
  EXPECT_EQ(level(*cell, "seed_matches"), Level::reject);
  EXPECT_EQ(cell->validity, Validity::invalid);
}

TEST(Coordinator, AWorkerThatFallsSilentIsEnded) {
  const Variable lie("AISP_TEST_LIE", "silent");
  const Result<CellResult> cell = measured({.timeout = 0.5});
  ASSERT_TRUE(cell);
  EXPECT_EQ(cell->validity, Validity::failed);
  EXPECT_EQ(cell->attempts[0].status, "timed out");
}

TEST(Coordinator, ACellThatFailedNamesNobodyWhoWasNotAskedFor) {
  const Result<CellResult> cell = measured({.id = "coordinator/crash", .variants = {"base", "other"}});
  ASSERT_TRUE(cell);
  EXPECT_EQ(cell->validity, Validity::failed);
  ASSERT_EQ(cell->variants.size(), 2u);
  EXPECT_EQ(cell->find("third"), nullptr);
}

TEST(Coordinator, AConfigurationThatChangedMeanwhileIsRejected) {
  const Result<CellResult> cell = measured({.rehash = [] { return std::string("another"); }});
  ASSERT_TRUE(cell);
  EXPECT_EQ(level(*cell, "config_unchanged"), Level::reject);
}

TEST(Coordinator, ATimeBelowTheFloorIsRejected) {
  Ceilings ceilings;
  // A machine on which reading these 2 KiB takes a second.
  for (const char* name : {"read", "write", "copy", "triad"}) {
    for (const char* where : {"L1", "L2", "L3", "memory"}) {
      ceilings.entries.push_back({.name = name, .level = where, .threads = 1, .value = 2048, .unit = "B/s"});
    }
  }
  const Result<CellResult> cell = measured({.ceilings = ceilings});
  ASSERT_TRUE(cell);
  EXPECT_EQ(level(*cell, "not_faster_than_floor"), Level::reject);
}

TEST(Coordinator, AnAnchorsBestSettingIsFoundRecordedAndUsed) {
  const Result<CellResult> cell = measured({.id = "coordinator/search"});
  ASSERT_TRUE(cell) << cell.error().message;
  const VariantResult& library = *cell->find("library");
  EXPECT_EQ(library.setting, "AISP_TEST_SETTING=good");
  ASSERT_TRUE(library.speedup);
  EXPECT_GT(library.speedup->ratio, 0.75) << "the poor setting would give one half";
  ASSERT_TRUE(cell->find("base")->of_anchor);
  EXPECT_EQ(cell->find("base")->of_anchor->against, "library");
}

TEST(Coordinator, AnInterruptedSearchChoosesNoSetting) {
  std::string path = testing::TempDir() + "aisp-interrupt-XXXXXX";
  close(mkstemp(path.data()));
  unlink(path.c_str());
  const Variable signal("AISP_TEST_INTERRUPT", path.c_str());
  const WorkloadInfo workload = describe(*Registry::instance().find("coordinator/search"));
  const CellSpec spec = cell_of(*Registry::instance().find("coordinator/search"));
  // In a process of its own: an interrupt cannot be taken back.
  const auto search = [&] {
    install_interrupt_handlers();
    const AnchorSettings settings = search_anchors(workload, spec, {});
    std::_Exit(interrupted() != 0 && settings.environment.empty() && settings.chosen.empty() ? 0 : 1);
  };
  EXPECT_EXIT(search(), testing::ExitedWithCode(0), "");
  unlink(path.c_str());
}

TEST(Coordinator, ALadderWhoseBaselineCannotRunHereIsSkippedWithTheReason) {
  const auto started = std::chrono::steady_clock::now();
  const Result<CellResult> cell = measured({.id = "coordinator/elsewhere"});
  ASSERT_TRUE(cell) << cell.error().message;
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(4)) << "nothing is sampled";
  EXPECT_EQ(cell->stopped, "skipped");
  EXPECT_EQ(cell->find("base")->skipped, "needs sm_90a, this device is sm_80");
  EXPECT_EQ(cell->find("other")->skipped, "the baseline cannot run here");
  EXPECT_EQ(exit_code_of(std::span(&*cell, 1)), 0);
  for (const AttemptRecord& attempt : cell->attempts) EXPECT_EQ(attempt.status, "finished");
}

TEST(Coordinator, AnUnknownWorkloadAndASizeThatDoesNotFitAreErrors) {
  Workload workload = *Registry::instance().find("coordinator/plain");
  const RunConfig config;
  Ceilings none;
  const PlannedCell huge{describe(workload), Params{{"n", std::int64_t{1} << 40}}};
  const auto refused = measure_cell({.cell = huge, .config = config, .ceilings = none, .config_hash = ""});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::environment);
  workload.id = "coordinator/missing";
  const PlannedCell missing{describe(workload), Params{{"n", 8}}};
  EXPECT_FALSE(measure_cell({.cell = missing, .config = config, .ceilings = none, .config_hash = ""}));
}

}  // namespace
}  // namespace aisp::harness
