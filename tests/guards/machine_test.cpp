// SPDX-License-Identifier: Apache-2.0
// Guards over promises and the machine: config_unchanged, program_unchanged, seed_matches, not_traced,
// nothing_injected, governor_steady, not_virtualised, load_low, cpu_not_limited, priority_normal,
// no_thermal_throttling, power_limit_alike.
#include <gtest/gtest.h>

#include "aisp/guards/limits.h"
#include "good_evidence.h"

namespace aisp::guards {
namespace {

TEST(ConfigUnchanged, AnotherHashIsRejected) {
  Evidence evidence = good_evidence();
  EXPECT_EQ(level("config_unchanged", evidence), Level::pass);
  evidence.config.hash_at_end[15] = '0';
  EXPECT_EQ(level("config_unchanged", evidence), Level::reject);
  evidence.config.hash_at_end.clear();
  EXPECT_EQ(level("config_unchanged", evidence), Level::unknown);
  evidence = good_evidence();
  evidence.config.hash_at_start.clear();
  EXPECT_EQ(level("config_unchanged", evidence), Level::unknown);
}

TEST(ProgramUnchanged, AReplacedProgramIsRejected) {
  Evidence evidence = good_evidence();
  EXPECT_EQ(level("program_unchanged", evidence), Level::pass);
  evidence.config.binary_unchanged = false;
  EXPECT_EQ(level("program_unchanged", evidence), Level::reject);
  evidence.config.binary_unchanged.reset();
  EXPECT_EQ(level("program_unchanged", evidence), Level::unknown);
}

TEST(SeedMatches, AnotherSeedIsRejected) {
  Evidence evidence = good_evidence();
  EXPECT_EQ(level("seed_matches", evidence), Level::pass);
  evidence.config.seed_matches = false;
  EXPECT_EQ(level("seed_matches", evidence), Level::reject);
  evidence.config.seed_matches.reset();
  EXPECT_EQ(level("seed_matches", evidence), Level::unknown);
  evidence = good_evidence();
  evidence.config.seed_commitment.clear();
  EXPECT_EQ(level("seed_matches", evidence), Level::unknown) << "a match with nothing promised is no match";
}

TEST(NotTraced, ATracerIsRejected) {
  Evidence evidence = good_evidence();
  EXPECT_EQ(level("not_traced", evidence), Level::pass);
  evidence.environment.traced = true;
  EXPECT_EQ(level("not_traced", evidence), Level::reject);
  evidence.environment.traced.reset();
  EXPECT_EQ(level("not_traced", evidence), Level::unknown);
}

TEST(NothingInjected, APreloadedLibraryIsRejectedByName) {
  Evidence evidence = good_evidence();
  EXPECT_EQ(level("nothing_injected", evidence), Level::pass);
  evidence.environment.injected = "none";
  EXPECT_EQ(level("nothing_injected", evidence), Level::pass);
  evidence.environment.injected = "LD_PRELOAD=libfaster.so";
  EXPECT_EQ(level("nothing_injected", evidence), Level::reject);
  EXPECT_NE(finding("nothing_injected", evidence).because.find("libfaster"), std::string::npos);
  evidence.environment.injected.reset();
  EXPECT_EQ(level("nothing_injected", evidence), Level::unknown);
}

TEST(GovernorSteady, AChangeIsRejectedAnotherNoted) {
  Evidence evidence = good_evidence();
  EXPECT_EQ(level("governor_steady", evidence), Level::pass);
  evidence.environment.governor = "powersave";
  EXPECT_EQ(level("governor_steady", evidence), Level::note);
  evidence.environment.governor_changed = true;
  EXPECT_EQ(level("governor_steady", evidence), Level::reject);
  evidence.environment.governor.reset();
  EXPECT_EQ(level("governor_steady", evidence), Level::reject);
  evidence.environment.governor_changed.reset();
  EXPECT_EQ(level("governor_steady", evidence), Level::unknown);
  evidence.environment.governor = "performance";
  EXPECT_EQ(level("governor_steady", evidence), Level::unknown)
      << "whether it stayed is half of the question";
}

TEST(NotVirtualised, AHypervisorLeavesTheFactUnknown) {
  Evidence evidence = good_evidence();
  EXPECT_EQ(level("not_virtualised", evidence), Level::pass);
  for (const char* name : {"KVM", ""}) {
    evidence.environment.virtualised = name;
    EXPECT_EQ(level("not_virtualised", evidence), Level::unknown) << name;
  }
  evidence.environment.virtualised.reset();
  EXPECT_EQ(level("not_virtualised", evidence), Level::unknown);
}

TEST(NotVirtualised, OnlyStrictInsists) {
  Evidence evidence = good_evidence();
  evidence.environment.virtualised = "KVM";
  const auto findings = judge(evidence);
  EXPECT_EQ(validity_of(findings, Policy::strict), Validity::unproven);
  EXPECT_EQ(validity_of(findings, Policy::standard), Validity::valid);
}

TEST(LoadLow, ABusyMachineIsNoted) {
  Evidence evidence = good_evidence();
  evidence.environment.load_before = kNotableLoad;
  EXPECT_EQ(level("load_low", evidence), Level::pass);
  for (const double load : {0.51, kNaN}) {
    evidence.environment.load_before = load;
    EXPECT_EQ(level("load_low", evidence), Level::note) << load;
  }
  evidence.environment.load_before.reset();
  EXPECT_EQ(level("load_low", evidence), Level::unknown);
}

TEST(CpuNotLimited, AQuotaIsNoted) {
  Evidence evidence = good_evidence();
  EXPECT_EQ(level("cpu_not_limited", evidence), Level::pass);
  evidence.environment.cpu_quota = "1.50 CPUs";
  EXPECT_EQ(level("cpu_not_limited", evidence), Level::note);
  evidence.environment.cpu_quota.reset();
  EXPECT_EQ(level("cpu_not_limited", evidence), Level::unknown);
}

TEST(PriorityNormal, RaisedIsRejected) {
  Evidence evidence = good_evidence();
  EXPECT_EQ(level("priority_normal", evidence), Level::pass);
  evidence.environment.priority_raised = true;
  EXPECT_EQ(level("priority_normal", evidence), Level::reject);
  evidence.environment.priority_raised.reset();
  EXPECT_EQ(level("priority_normal", evidence), Level::unknown);
}

TEST(NoThermalThrottling, OneEventIsRejected) {
  Evidence evidence = good_evidence();
  EXPECT_EQ(level("no_thermal_throttling", evidence), Level::pass);
  evidence.environment.thermal_throttles = 1;
  EXPECT_EQ(level("no_thermal_throttling", evidence), Level::reject);
  evidence.environment.thermal_throttles.reset();
  EXPECT_EQ(level("no_thermal_throttling", evidence), Level::unknown);
}

TEST(PowerLimitAlike, AnotherLimitIsRejectedAndRoundingIsNot) {
  Evidence evidence = good_evidence();
  EXPECT_EQ(level("power_limit_alike", evidence), Level::pass);
  evidence.environment.lowest_power_limit_w = 349;
  EXPECT_EQ(level("power_limit_alike", evidence), Level::pass);
  evidence.environment.lowest_power_limit_w = 345;
  EXPECT_EQ(level("power_limit_alike", evidence), Level::reject);
  evidence.environment.lowest_power_limit_w = kNaN;
  EXPECT_EQ(level("power_limit_alike", evidence), Level::reject);
  evidence.environment.lowest_power_limit_w.reset();
  EXPECT_EQ(level("power_limit_alike", evidence), Level::unknown);
}

}  // namespace
}  // namespace aisp::guards
