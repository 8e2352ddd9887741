// SPDX-License-Identifier: Apache-2.0
// The group this process is in, and those above it, as other machines show them.
#include "aisp/probes/cgroup.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "fake_root.h"

namespace aisp::probes {
namespace {

const std::string kTop = "/sys/fs/cgroup";

TEST(Cgroup, throttling_is_counted_in_this_group_and_those_above) {
  const FakeRoot root;
  root.unified();
  EXPECT_EQ(cgroup_throttled_periods(root.folder()), std::nullopt) << "no statistics, no count";
  root.write(kTop + "/cpu.stat", "usage_usec 100\n");  // the top has no quota
  EXPECT_EQ(cgroup_throttled_periods(root.folder()), 0u);
  root.write(kTop + "/user/cpu.stat", "usage_usec 90\nnr_periods 7\nnr_throttled 4\n");
  root.write(kTop + "/user/job/cpu.stat", "usage_usec 80\nnr_periods 7\nnr_throttled 3\n");
  root.write(kTop + "/user/neighbour/cpu.stat", "nr_throttled 1000\n");
  EXPECT_EQ(cgroup_throttled_periods(root.folder()), 7u);
  EXPECT_EQ(cgroup_cpu_stat_files(root.folder()).size(), 3u);
}

TEST(Cgroup, the_tightest_limit_counts) {
  const FakeRoot root;
  root.unified();
  root.write(kTop + "/user/cpu.max", "150000 100000\n");
  root.write(kTop + "/user/job/cpu.max", "max 100000\n");
  EXPECT_DOUBLE_EQ(cgroup_cpu_limit(root.folder()).value(), 1.5);
}

TEST(Cgroup, memory_is_what_the_tightest_group_leaves) {
  const FakeRoot root;
  root.unified();
  EXPECT_TRUE(std::isinf(cgroup_free_memory(root.folder())));
  root.write(kTop + "/user/memory.max", "8000\n");
  root.write(kTop + "/user/memory.current", "3000\n");
  root.write(kTop + "/user/job/memory.max", "max\n");
  root.write(kTop + "/user/job/memory.current", "2500\n");
  EXPECT_DOUBLE_EQ(cgroup_free_memory(root.folder()), 5000);
  root.write(kTop + "/user/job/memory.high", "4000\n");  // beyond it the kernel makes the group wait
  EXPECT_DOUBLE_EQ(cgroup_free_memory(root.folder()), 1500);
  root.write(kTop + "/user/job/memory.stat", "anon 500\nactive_file 700\ninactive_file 1300\n");
  EXPECT_DOUBLE_EQ(cgroup_free_memory(root.folder()), 3500) << "pages of files can be dropped";
}

TEST(Cgroup, version_1_has_a_hierarchy_for_each_controller) {
  const FakeRoot root;
  root.write("/proc/self/cgroup", "4:memory:/job\n2:cpu,cpuacct:/box\n1:cpuset:/other\n");
  root.write("/proc/self/mountinfo",
             "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
             "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  root.write(kTop + "/cpu/box/cpu.stat", "nr_periods 9\nnr_throttled 2\n");
  root.write(kTop + "/memory/memory.limit_in_bytes", "9223372036854771712\n");  // none
  root.write(kTop + "/memory/job/memory.limit_in_bytes", "6000\n");
  root.write(kTop + "/memory/job/memory.usage_in_bytes", "5000\n");
  root.write(kTop + "/memory/job/memory.stat", "inactive_file 1\ntotal_inactive_file 2000\n");
  EXPECT_EQ(cgroup_throttled_periods(root.folder()), 2u);
  EXPECT_DOUBLE_EQ(cgroup_free_memory(root.folder()), 3000);
}

TEST(Cgroup, a_container_sees_a_mount_that_starts_at_its_own_group) {
  const FakeRoot root;
  root.write("/proc/self/cgroup", "0::/docker/abc\n");
  root.write("/proc/self/mountinfo", "30 23 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
  root.write(kTop + "/memory.max", "7000\n");
  root.write(kTop + "/cpu.stat", "nr_throttled 5\n");
  EXPECT_DOUBLE_EQ(cgroup_free_memory(root.folder()), 7000);
  EXPECT_EQ(cgroup_throttled_periods(root.folder()), 5u);
  root.write("/proc/self/cgroup", "0::/../other\n");  // outside of what the namespace shows
  EXPECT_EQ(cgroup_throttled_periods(root.folder()), 5u);
}

TEST(Cgroup, the_top_group_has_no_quota_though_nothing_is_mounted) {
  const FakeRoot root;
  root.write("/proc/self/cgroup", "4:memory:/job\n1:cpu:/\n0::/\n");
  EXPECT_EQ(cgroup_cpu_limit(root.folder()), std::nullopt) << "perhaps the top of a container";
  const std::filesystem::path ns = root.folder() + "/proc/self/ns";
  std::filesystem::create_directories(ns);
  std::filesystem::create_symlink("cgroup:[4026532999]", ns / "cgroup");
  EXPECT_EQ(cgroup_cpu_limit(root.folder()), std::nullopt) << "the top of a container";
  std::filesystem::remove(ns / "cgroup");
  std::filesystem::create_symlink("cgroup:[4026531835]", ns / "cgroup");
  EXPECT_TRUE(std::isinf(cgroup_cpu_limit(root.folder()).value()));
  root.write("/proc/self/cgroup", "1:cpu:/limited\n0::/\n");
  EXPECT_EQ(cgroup_cpu_limit(root.folder()), std::nullopt) << "in a group whose limit cannot be seen";
}

}  // namespace
}  // namespace aisp::probes
