// SPDX-License-Identifier: Apache-2.0
#include "aisp/probes/hardware_facts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/probes/fake_root.h"

namespace aisp::probes {
namespace {

std::string value_of(const std::vector<Fact>& facts, const std::string& name) {
  const auto found = std::ranges::find(facts, name, &Fact::name);
  return found == facts.end() ? "there is no such fact" : found->value.value_or("unknown");
}

TEST(HardwareFacts, NodesHaveCpusMemoryAndDistances) {
  const FakeRoot root;
  root.write("/sys/devices/system/node/node0/cpulist", "0-15\n");
  root.write("/sys/devices/system/node/node0/meminfo",
             "Node 0 MemTotal:       131072000 kB\nNode 0 MemFree: 1 kB\n");
  root.write("/sys/devices/system/node/node0/distance", "10 21\n");
  root.write("/sys/devices/system/node/node1/cpulist", "16-31\n");
  const std::vector<Fact> facts = numa_facts(root.folder());
  EXPECT_EQ(value_of(facts, "NUMA node0"), "CPUs 0-15, 125.0 GiB, distances 10 21");
  EXPECT_EQ(value_of(facts, "NUMA node1"), "CPUs 16-31");
  EXPECT_EQ(value_of(numa_facts(root.folder() + "/nowhere"), "NUMA nodes"), "unknown");
}

TEST(HardwareFacts, DevicesHaveLinksAndNodes) {
  const FakeRoot root;
  const std::string gpu = "/sys/bus/pci/devices/0000:17:00.0", bridge = "/sys/bus/pci/devices/0000:16:00.0";
  root.write(gpu + "/class", "0x030200\n");
  root.write(gpu + "/vendor", "0x10de\n");
  root.write(gpu + "/device", "0x2335\n");
  root.write(gpu + "/current_link_speed", "16.0 GT/s PCIe\n");
  root.write(gpu + "/current_link_width", "8\n");
  root.write(gpu + "/max_link_speed", "32.0 GT/s PCIe\n");
  root.write(gpu + "/max_link_width", "16\n");
  root.write(gpu + "/numa_node", "1\n");
  root.write(bridge + "/class", "0x060400\n");
  const std::vector<Fact> facts = pcie_facts(root.folder());
  ASSERT_EQ(facts.size(), 1u) << "bridges are left out";
  EXPECT_EQ(value_of(facts, "PCIe 0000:17:00.0"),
            "GPU or display 10de:2335, 16.0 GT/s x8 of 32.0 GT/s x16, NUMA node 1");
  root.write(gpu + "/current_link_width", "0\n");
  root.write(gpu + "/numa_node", "-1\n");
  EXPECT_EQ(value_of(pcie_facts(root.folder()), "PCIe 0000:17:00.0"),
            "GPU or display 10de:2335, link unknown");
  EXPECT_EQ(value_of(pcie_facts(root.folder() + "/nowhere"), "PCIe devices"), "unknown");
}

TEST(HardwareFacts, ClocksComeFromTheDriverElseFromTheProcessor) {
  const FakeRoot root;
  root.write("/proc/cpuinfo", "model name\t: x\ncpu MHz\t\t: 2793.437\n");
  EXPECT_EQ(value_of(clock_facts(root.folder()), "CPU clock now"), "2.79 GHz");
  EXPECT_EQ(value_of(clock_facts(root.folder()), "CPU clock at most"), "unknown");
  const std::string folder = "/sys/devices/system/cpu/cpu0/cpufreq";
  root.write(folder + "/scaling_cur_freq", "3100000\n");
  root.write(folder + "/scaling_max_freq", "3800000\n");
  root.write(folder + "/scaling_governor", "performance\n");
  EXPECT_EQ(value_of(clock_facts(root.folder()), "CPU clock now"), "3.10 GHz");
  EXPECT_EQ(value_of(clock_facts(root.folder()), "CPU clock at most"), "3.80 GHz");
  EXPECT_EQ(value_of(clock_facts(root.folder()), "CPU frequency governor"), "performance");
}

TEST(HardwareFacts, LimitsOfTheControlGroup) {
  const FakeRoot root;
  root.unified();
  EXPECT_EQ(value_of(limit_facts(root.folder()), "limit on CPUs by its control group"), "none");
  root.write("/sys/fs/cgroup/user/job/cpu.max", "150000 100000\n");
  root.write("/sys/fs/cgroup/user/job/memory.max", "2147483648\n");
  root.write("/sys/fs/cgroup/user/job/memory.current", "1073741824\n");
  EXPECT_EQ(value_of(limit_facts(root.folder()), "limit on CPUs by its control group"), "1.50");
  EXPECT_EQ(value_of(limit_facts(root.folder()), "limit on memory by its control group"), "1.0 GiB left");
}

TEST(HardwareFacts, EveryMachineSaysSomethingAboutGpus) { EXPECT_FALSE(gpu_facts().empty()); }

}  // namespace
}  // namespace aisp::probes
