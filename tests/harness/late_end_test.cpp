// SPDX-License-Identifier: Apache-2.0
// Variants that end their worker after others have been sampled beside them, or only when their memory is
// measured; and attempts that find the machine in different moods. For a cell of one build and of two.
#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "aisp/core/exit_code.h"
#include "aisp/core/registry.h"
#include "aisp/device/clock.h"
#include "aisp/harness/build_pair.h"
#include "aisp/harness/coordinator.h"
#include "aisp/harness/figures.h"
#include "example.h"

namespace aisp::harness {
namespace {

void spin(double ns) {
  const auto& clock = device::Clock::instance();
  for (const double end = clock.now_ns() + ns; clock.now_ns() < end;) {
  }
}

void steady(const Call& call) {
  spin(50e3);
  honest(call);
}

/// Warm-up makes at most 50 calls; a turn makes one that is timed after some four that are not.
void crash_late(const Call& call) {
  static int calls = 0;
  if (++calls > 70) std::abort();
  steady(call);
}
const Registration late{example("late/crash", {{"base", steady}, {"late", crash_late}, {"other", steady}})};

bool baseline_was_here = false;
void baseline(const Call& call) {
  baseline_was_here = true;
  steady(call);
}
/// In a memory attempt a variant is alone.
void crash_alone(const Call& call) {
  if (!baseline_was_here) std::abort();
  steady(call);
}
const Registration lonely{[] {
  Workload workload = example("late/memory", {{"base", baseline}, {"lonely", crash_alone}});
  workload.goal = Goal::memory;
  return workload;
}()};

/// Slow in the process that comes first, which would have windows of one call, and fast in the others.
void slow_at_first(const Call& call) {
  static const bool first = [] {
    const char* path = std::getenv("AISP_TEST_FIRST");
    return path != nullptr && open(path, O_CREAT | O_EXCL | O_CLOEXEC, 0600) >= 0;
  }();
  spin(first ? 50e3 : 2e3);
  honest(call);
}
const Registration moody{example("late/moody", {{"base", slow_at_first}, {"other", slow_at_first}})};

const Ceilings none;

struct Asked {
  int attempts = 1;
  int rounds = 60;
};

template <class Measure>
CellResult measured(const std::string& id, const Asked& asked, Measure measure) {
  const Workload* workload = Registry::instance().find(id);
  const PlannedCell cell{describe(*workload), cell_of(*workload).sizes()};
  RunConfig config;
  config.attempts = asked.attempts;
  config.looks = {asked.rounds};
  config.cell_seconds = 20;
  config.pin = false;
  Result<CellResult> result = measure(cell, config);
  EXPECT_TRUE(result) << result.error().message;
  return result ? *std::move(result) : CellResult{};
}

CellResult alone(const std::string& id, const Asked& asked = {}) {
  return measured(id, asked, [](const PlannedCell& cell, const RunConfig& config) {
    return measure_cell({.cell = cell, .config = config, .ceilings = none, .config_hash = "hash"});
  });
}

CellResult paired(const std::string& id, const Asked& asked = {}) {
  return measured(id, asked, [](const PlannedCell& cell, const RunConfig& config) {
    return measure_builds(
        {.cell = cell, .config = config, .ceilings = none, .config_hash = "hash", .setups = {}});
  });
}

/// The first samples are there, marked, and count for nothing.
void expect_kept(const CellResult& cell, const std::string& other, const std::string& crashed, int rounds) {
  EXPECT_EQ(cell.find(crashed)->validity, Validity::failed);
  EXPECT_GT(cell.find(crashed)->samples.size(), 0u) << "every raw sample is kept";
  std::set<int> numbers;
  int again = 0;
  for (const RoundRecord& round : cell.rounds) {
    EXPECT_TRUE(numbers.insert(round.round).second) << "round " << round.round << " stands twice";
    again += round.discarded.starts_with(kMeasuredAgain) ? 1 : 0;
  }
  EXPECT_GT(again, 0);
  const VariantResult& v = *cell.find(other);
  EXPECT_GT(v.samples.size(), static_cast<std::size_t>(rounds));
  EXPECT_LE(v.evidence.sampling.rounds, rounds);
  // Of two builds, one may have had no turn in the round that was cut short.
  const auto sampled = std::set<int>(v.samples.round.begin(), v.samples.round.end()).size();
  EXPECT_GE(v.evidence.sampling.rounds + again, static_cast<int>(sampled));
  EXPECT_EQ(v.evidence.sampling.rounds_discarded, 0) << "the machine was in order";
}

TEST(LateEnd, KeepsWhatWasSampledBeforeACrash) { expect_kept(alone("late/crash"), "other", "late", 60); }

TEST(LateEnd, KeepsWhatWasSampledOfTwoBuilds) {
  const CellResult cell = paired("late/crash");
  expect_kept(cell, "new/other", "old/late", 60);
  EXPECT_EQ(cell.find("new/late")->validity, Validity::failed);
}

TEST(LateEnd, OfAMemoryAttemptIsNamed) {
  const CellResult cell = alone("late/memory");
  EXPECT_EQ(cell.find("lonely")->validity, Validity::failed);
  EXPECT_TRUE(cell.find("base")->memory.peak_bytes);
  EXPECT_EQ(exit_code_of(std::vector{cell}), kExitWorkload);
}

TEST(LateEnd, OfAMemoryAttemptOfABuildIsNamed) {
  const CellResult cell = paired("late/memory");
  for (const char* name : {"old/lonely", "new/lonely"}) {
    EXPECT_EQ(cell.find(name)->validity, Validity::failed) << name;
    EXPECT_TRUE(std::ranges::any_of(cell.attempts, [&](const AttemptRecord& attempt) {
      return attempt.variant == name && attempt.status == "crashed";
    })) << name;
  }
  EXPECT_TRUE(cell.find("new/base")->memory.peak_bytes);
  EXPECT_EQ(exit_code_of(std::vector{cell}), kExitWorkload);
}

TEST(Windows, HoldAsManyCallsInEveryAttempt) {
  std::string path = testing::TempDir() + "aisp-first-XXXXXX";
  close(mkstemp(path.data()));
  unlink(path.c_str());
  setenv("AISP_TEST_FIRST", path.c_str(), 1);
  const CellResult cell = alone("late/moody", {.attempts = 3, .rounds = 12});
  unsetenv("AISP_TEST_FIRST");
  unlink(path.c_str());
  const Samples& samples = cell.find("other")->samples;
  ASSERT_GT(samples.size(), 0u);
  EXPECT_EQ(std::set<int>(samples.attempt.begin(), samples.attempt.end()).size(), 3u);
  EXPECT_EQ(std::set<int>(samples.calls.begin(), samples.calls.end()).size(), 1u);
}

}  // namespace
}  // namespace aisp::harness
