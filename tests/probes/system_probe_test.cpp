// SPDX-License-Identifier: Apache-2.0
#include "aisp/probes/system_probe.h"

#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "aisp/probes/cgroup.h"
#include "aisp/probes/kernel_files.h"

namespace aisp::probes {
namespace {

TEST(SystemProbe, differences_of_known_counters) {
  SystemSnapshot before, after;
  before.swapped_pages = 10;
  after.swapped_pages = 17;
  before.throttled_periods = 3;
  after.throttled_periods = 3;
  before.steal_ns = 1e9;
  after.steal_ns = 1.5e9;
  before.governor = "performance";
  after.governor = "powersave";
  before.load = 0.5;
  before.power_limit_w = 350;
  after.power_limit_w = 250;
  ProcessEvidence process;
  EnvironmentEvidence environment;
  record_system(before, after, process, environment);
  EXPECT_EQ(environment.lowest_power_limit_w, 250);
  EXPECT_EQ(environment.highest_power_limit_w, 350);
  EXPECT_EQ(process.swapped_pages, 7u);
  EXPECT_EQ(process.throttled_periods, 0u);
  EXPECT_EQ(process.steal_ns, 0.5e9);
  EXPECT_EQ(environment.governor, "performance");
  EXPECT_EQ(environment.governor_changed, true);
  EXPECT_EQ(environment.load_before, 0.5);
}

TEST(SystemProbe, unknown_stays_unknown) {
  ProcessEvidence process;
  EnvironmentEvidence environment;
  SystemSnapshot before, after;
  after.swapped_pages = 4;  // known at one end only
  after.power_limit_w = 350;
  record_system(before, after, process, environment);
  EXPECT_FALSE(process.swapped_pages.has_value());
  EXPECT_FALSE(process.throttled_periods.has_value());
  EXPECT_FALSE(process.steal_ns.has_value());
  EXPECT_FALSE(environment.governor.has_value());
  EXPECT_FALSE(environment.governor_changed.has_value());
  EXPECT_FALSE(environment.thermal_throttles.has_value());
  EXPECT_FALSE(environment.lowest_power_limit_w.has_value());
  EXPECT_FALSE(environment.load_before.has_value());
}

TEST(SystemProbe, counters_of_this_machine_do_not_run_backwards) {
  const SystemSnapshot before = SystemSnapshot::take(), after = SystemSnapshot::take();
  ASSERT_TRUE(before.steal_ns.has_value());
  EXPECT_GE(after.steal_ns.value(), before.steal_ns.value());
  ASSERT_TRUE(before.swapped_pages.has_value());
  EXPECT_GE(after.swapped_pages.value(), before.swapped_pages.value());
  EXPECT_GE(before.load.value(), 0);
}

TEST(SystemProbe, an_injected_library_is_named) {
  const std::string before = injection_variables();
  setenv("CUDA_INJECTION64_PATH", "/tmp/spy.so", 1);
  EXPECT_NE(injection_variables().find("CUDA_INJECTION64_PATH=/tmp/spy.so"), std::string::npos);
  unsetenv("CUDA_INJECTION64_PATH");
  EXPECT_EQ(injection_variables(), before);
}

TEST(SystemProbe, a_tracer_is_seen) {
  // The child asks to be traced by this process, looks, and reports what it saw.
  const pid_t child = fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(77);
    _exit(being_traced().value_or(false) ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "ptrace is not allowed here";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(SystemProbe, a_lowered_priority_is_not_raised) {
  const pid_t child = fork();
  if (child == 0) {
    if (nice(5) < 0) _exit(2);
    _exit(priority_raised().value_or(true) ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(SystemProbe, the_hypervisor_agrees_with_the_flags) {
  const auto info = read_text("/proc/cpuinfo");
  const auto name = hypervisor();
  if (!info || !name) GTEST_SKIP() << "not known here";
  const bool flagged = info->find(" hypervisor") != std::string::npos;
  EXPECT_EQ(*name != "none", flagged);
}

TEST(SystemProbe, affinity_and_quota_are_words) {
  EXPECT_FALSE(affinity().value_or("?").empty());
  if (const auto limit = cgroup_cpu_limit()) {
    EXPECT_GT(*limit, 0);
  }
}

TEST(KernelFiles, numbers_keys_and_choices) {
  const std::string path = testing::TempDir() + "kernel_files_test";
  std::ofstream(path) << "alpha 12\nalphabet 7\nBeta:\t 34 kB\n";
  EXPECT_EQ(counter_in(path, "alpha"), 12u);
  EXPECT_EQ(counter_in(path, "alphabet"), 7u);
  EXPECT_EQ(counter_in(path, "Beta"), 34u);
  EXPECT_EQ(counter_in(path, "gamma"), std::nullopt);
  EXPECT_EQ(read_line(path), "alpha 12");
  std::ofstream(path) << "always [madvise] never\n";
  EXPECT_EQ(chosen_in(path), "madvise");
  std::ofstream(path) << "42\n";
  EXPECT_EQ(read_number(path), 42u);
  std::ofstream(path) << "42x\n";
  EXPECT_EQ(read_number(path), std::nullopt);
  unlink(path.c_str());
  EXPECT_EQ(read_text(path), std::nullopt);
}

}  // namespace
}  // namespace aisp::probes
