// SPDX-License-Identifier: Apache-2.0
// Guards over the process: no_work_after_return, threads_as_declared, no_page_faults, no_swap,
// no_cpu_throttling, little_steal, rarely_interrupted, stays_on_core, rounding_mode_kept.
#include <gtest/gtest.h>

#include "aisp/guards/limits.h"
#include "good_evidence.h"

namespace aisp::guards {
namespace {

TEST(NoWorkAfterReturn, OneThreadTooManyIsRejected) {
  Evidence evidence = good_evidence();
  EXPECT_EQ(level("no_work_after_return", evidence), Level::pass);
  evidence.process.threads_after = 2;
  EXPECT_EQ(level("no_work_after_return", evidence), Level::reject);
  evidence.threads = 2;  // a declared pool of two may keep its helper
  EXPECT_EQ(level("no_work_after_return", evidence), Level::pass);
  evidence.process.threads_after = 3;
  EXPECT_EQ(level("no_work_after_return", evidence), Level::reject);
}

TEST(NoWorkAfterReturn, CpuTimeAfterTheReturnIsRejected) {
  Evidence evidence = good_evidence();
  evidence.timing.shortest_window_ns = 20e3;
  evidence.process.cpu_after_return_ns = kAccountGrainNs;
  EXPECT_EQ(level("no_work_after_return", evidence), Level::pass);
  for (const double ns : {kAccountGrainNs + 1, 20e3, 1e9, kNaN}) {
    evidence.process.cpu_after_return_ns = ns;
    EXPECT_EQ(level("no_work_after_return", evidence), Level::reject) << ns;
  }
}

TEST(NoWorkAfterReturn, AHandlerLeftBehindIsRejected) {
  Evidence evidence = good_evidence();
  evidence.process.handlers_changed = false;
  EXPECT_EQ(level("no_work_after_return", evidence), Level::pass);
  evidence.process.handlers_changed = true;
  EXPECT_EQ(level("no_work_after_return", evidence), Level::reject);
}

TEST(NoWorkAfterReturn, LongWindowsAllowAPercent) {
  Evidence evidence = good_evidence();
  evidence.timing.shortest_window_ns = 100e6;
  evidence.process.cpu_after_return_ns = 1e6;
  EXPECT_EQ(level("no_work_after_return", evidence), Level::pass);
  evidence.process.cpu_after_return_ns = 1.01e6;
  EXPECT_EQ(level("no_work_after_return", evidence), Level::reject);
}

TEST(NoWorkAfterReturn, ParkingIsAllowedPerHelper) {
  Evidence evidence = good_evidence();
  evidence.threads = 5;
  evidence.process.cpu_after_return_ns = 4 * kParkingCpuNs;
  EXPECT_EQ(level("no_work_after_return", evidence), Level::pass);
  evidence.process.cpu_after_return_ns = 4 * kParkingCpuNs + 1;
  EXPECT_EQ(level("no_work_after_return", evidence), Level::reject);
}

TEST(NoWorkAfterReturn, AnyMissingFactIsUnknown) {
  Evidence evidence = good_evidence();
  evidence.process.threads_before.reset();
  EXPECT_EQ(level("no_work_after_return", evidence), Level::unknown);
  evidence = good_evidence();
  evidence.process.threads_after.reset();
  EXPECT_EQ(level("no_work_after_return", evidence), Level::unknown);
  evidence = good_evidence();
  evidence.process.cpu_after_return_ns.reset();
  EXPECT_EQ(level("no_work_after_return", evidence), Level::unknown);
  evidence = good_evidence();
  evidence.process.threads_before = evidence.process.threads_after = 0;  // /proc is not mounted
  EXPECT_EQ(level("no_work_after_return", evidence), Level::unknown);
}

TEST(ThreadsAsDeclared, CountsCoresFromCpuTime) {
  Evidence evidence = good_evidence();
  evidence.process.wall_in_windows_ns = 1e9;
  const auto at = [&](double cpu) {
    evidence.process.cpu_in_windows_ns = cpu;
    return level("threads_as_declared", evidence);
  };
  EXPECT_EQ(at(1e9), Level::pass);
  EXPECT_EQ(at(1.25e9 + kCpuGrainNs), Level::pass);
  EXPECT_NE(
      finding("threads_as_declared", evidence).because.find(", within the allowance of 0.25 cores and "),
      std::string::npos);
  EXPECT_EQ(at(1e9), Level::pass);
  EXPECT_EQ(finding("threads_as_declared", evidence).because, "used 1 cores of 1 declared");
  EXPECT_EQ(at(1.26e9), Level::reject);
  EXPECT_EQ(at(2e9), Level::reject);
  EXPECT_EQ(at(kNaN), Level::reject);
  evidence.threads = 2;
  EXPECT_EQ(at(2e9), Level::pass);
  EXPECT_EQ(at(3e9), Level::reject);
  evidence.process.wall_in_windows_ns = kNaN;
  EXPECT_EQ(at(1), Level::reject);
  evidence.process.wall_in_windows_ns.reset();
  EXPECT_EQ(at(1), Level::unknown);
}

TEST(ThreadsAsDeclared, ASecondThreadIsSeenWhereOthersHoldTheCores) {
  Evidence evidence = good_evidence();
  evidence.threads = 1;
  evidence.process.wall_in_windows_ns = 4e9;  // three quarters of it waiting
  evidence.process.cpu_in_windows_ns = 1e9;
  evidence.process.others_cpu_in_windows_ns = 0.0196e9;
  EXPECT_EQ(level("threads_as_declared", evidence), Level::pass);
  evidence.process.others_cpu_in_windows_ns = 0.0197e9;
  EXPECT_EQ(level("threads_as_declared", evidence), Level::reject);
  evidence.threads = 2;
  EXPECT_EQ(level("threads_as_declared", evidence), Level::pass);
}

TEST(NoPageFaults, AMajorFaultIsRejectedExceptOnFiles) {
  Evidence evidence = good_evidence();
  EXPECT_EQ(level("no_page_faults", evidence), Level::pass);
  evidence.process.major_faults = 1;
  EXPECT_EQ(level("no_page_faults", evidence), Level::reject);
  evidence.shape = Shape::stateful;
  EXPECT_EQ(level("no_page_faults", evidence), Level::note);
}

TEST(NoPageFaults, PagesOfUnifiedMemoryAreTheSubjectWhereDeclared) {
  Evidence evidence = good_evidence();
  evidence.process.major_faults = 1;
  evidence.accelerator.declares_managed_memory = false;
  EXPECT_EQ(level("no_page_faults", evidence), Level::reject);
  evidence.accelerator.declares_managed_memory = true;
  EXPECT_EQ(level("no_page_faults", evidence), Level::note);
}

TEST(NoPageFaults, MinorFaultsAreNotedWhenFrequent) {
  Evidence evidence = good_evidence();
  evidence.process.minor_faults = evidence.answers.calls;
  EXPECT_EQ(level("no_page_faults", evidence), Level::pass);
  evidence.process.minor_faults = evidence.answers.calls + 1;
  EXPECT_EQ(level("no_page_faults", evidence), Level::note);
  evidence.process.minor_faults.reset();
  EXPECT_EQ(level("no_page_faults", evidence), Level::unknown);
  evidence = good_evidence();
  evidence.process.major_faults.reset();
  EXPECT_EQ(level("no_page_faults", evidence), Level::unknown);
}

TEST(NoSwap, OnePageIsRejected) {
  Evidence evidence = good_evidence();
  EXPECT_EQ(level("no_swap", evidence), Level::pass);
  evidence.process.swapped_pages = 1;
  EXPECT_EQ(level("no_swap", evidence), Level::reject);
  evidence.process.swapped_pages.reset();
  EXPECT_EQ(level("no_swap", evidence), Level::unknown);
}

TEST(NoCpuThrottling, OnePeriodIsRejected) {
  Evidence evidence = good_evidence();
  EXPECT_EQ(level("no_cpu_throttling", evidence), Level::pass);
  evidence.process.throttled_periods = 1;
  EXPECT_EQ(level("no_cpu_throttling", evidence), Level::reject);
}

// The rule over rounds has dealt with it: the rounds that were kept are free of it.
TEST(NoCpuThrottling, DiscardedRoundsDoNotRejectTheKeptOnes) {
  Evidence evidence = good_evidence();
  evidence.process.throttled_periods = 3;
  evidence.sampling.rounds_discarded = 2;
  evidence.sampling.discard_reasons = {"the machine was suspended"};
  EXPECT_EQ(level("no_cpu_throttling", evidence), Level::reject) << "discarded for something else";
  evidence.sampling.discard_reasons = {"old/" + std::string(kRoundThrottled) + ", " +
                                       std::string(kRoundSwapped)};
  EXPECT_EQ(level("no_cpu_throttling", evidence), Level::note);
  evidence.process.swapped_pages = 5;
  EXPECT_EQ(level("no_swap", evidence), Level::note);
  EXPECT_EQ(validity_of(judge(evidence), Policy::standard), Validity::valid);
  evidence.sampling.rounds_discarded = evidence.sampling.rounds + 1;
  EXPECT_EQ(validity_of(judge(evidence), Policy::standard), Validity::invalid) << "it never clears";
}

TEST(NoCpuThrottling, UnknownUnlessThereIsNoQuota) {
  Evidence evidence = good_evidence();
  evidence.process.throttled_periods.reset();
  EXPECT_EQ(level("no_cpu_throttling", evidence), Level::pass) << "no quota: nothing can throttle";
  evidence.environment.cpu_quota = "1.50 CPUs";
  EXPECT_EQ(level("no_cpu_throttling", evidence), Level::unknown);
  evidence.environment.cpu_quota.reset();
  EXPECT_EQ(level("no_cpu_throttling", evidence), Level::unknown);
}

TEST(NoCpuThrottling, WhoHadTheCoreAllTheTimeWasNotStopped) {
  Evidence evidence = good_evidence();
  evidence.process.throttled_periods.reset();
  evidence.environment.cpu_quota.reset();
  evidence.process.wall_in_windows_ns = 1e9;
  evidence.process.cpu_in_windows_ns = 1.5e9;
  evidence.process.others_cpu_in_windows_ns = 0.51e9;
  EXPECT_EQ(level("no_cpu_throttling", evidence), Level::pass);
  evidence.process.others_cpu_in_windows_ns = 0.6e9;
  EXPECT_EQ(level("no_cpu_throttling", evidence), Level::unknown) << "a tenth of the time is missing";
  evidence.process.others_cpu_in_windows_ns.reset();
  EXPECT_EQ(level("no_cpu_throttling", evidence), Level::unknown);
}

TEST(LittleSteal, AShareIsNoted) {
  Evidence evidence = good_evidence();
  const double wall = *evidence.process.wall_in_windows_ns;
  evidence.process.steal_ns = kNotableStealShare * wall;
  EXPECT_EQ(level("little_steal", evidence), Level::pass);
  for (const double ns : {kNotableStealShare * wall * 1.01, kNaN}) {
    evidence.process.steal_ns = ns;
    EXPECT_EQ(level("little_steal", evidence), Level::note) << ns;
  }
  evidence.process.steal_ns.reset();
  EXPECT_EQ(level("little_steal", evidence), Level::unknown);
}

TEST(RarelyInterrupted, ARateIsNoted) {
  Evidence evidence = good_evidence();
  evidence.process.wall_in_windows_ns = 1e9;
  evidence.process.involuntary_switches = 50;
  EXPECT_EQ(level("rarely_interrupted", evidence), Level::pass);
  evidence.process.involuntary_switches = 51;
  EXPECT_EQ(level("rarely_interrupted", evidence), Level::note);
  evidence.process.wall_in_windows_ns = 1e6;  // one switch in a millisecond is chance, not a rate
  evidence.process.involuntary_switches = 1;
  EXPECT_EQ(level("rarely_interrupted", evidence), Level::pass);
  evidence.process.involuntary_switches.reset();
  EXPECT_EQ(level("rarely_interrupted", evidence), Level::unknown);
}

TEST(StaysOnCore, MigrationsAreNoted) {
  Evidence evidence = good_evidence();
  evidence.answers.calls = 100;
  evidence.process.migrations = 1;
  EXPECT_EQ(level("stays_on_core", evidence), Level::pass);
  evidence.process.migrations = 2;
  EXPECT_EQ(level("stays_on_core", evidence), Level::note);
  evidence.process.migrations.reset();
  EXPECT_EQ(level("stays_on_core", evidence), Level::unknown);
}

TEST(StaysOnCore, AChangedSetOfCoresIsRejected) {
  Evidence evidence = good_evidence();
  evidence.process.cores_changed = false;
  EXPECT_EQ(level("stays_on_core", evidence), Level::pass);
  evidence.process.cores_changed = true;
  EXPECT_EQ(level("stays_on_core", evidence), Level::reject);
}

TEST(RoundingModeKept, AChangeIsRejected) {
  Evidence evidence = good_evidence();
  EXPECT_EQ(level("rounding_mode_kept", evidence), Level::pass);
  evidence.process.rounding_mode_changed = true;
  EXPECT_EQ(level("rounding_mode_kept", evidence), Level::reject);
  evidence.process.rounding_mode_changed.reset();
  EXPECT_EQ(level("rounding_mode_kept", evidence), Level::unknown);
}

}  // namespace
}  // namespace aisp::guards
