// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cpu/topology.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace aisp::device {
namespace {

TEST(Topology, agrees_with_the_system) {
  const Topology& machine = topology();
  EXPECT_GE(machine.pus, machine.cores);
  EXPECT_GE(machine.cores, 1);
  const auto pages =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (machine.memory_bytes != 0) {
    EXPECT_NEAR(static_cast<double>(machine.memory_bytes) / pages, 1.0, 0.05);
  }
}

TEST(Topology, caches_grow_with_their_level) {
  const Topology& machine = topology();
  for (std::size_t i = 1; i < machine.caches.size(); ++i) {
    EXPECT_GT(machine.caches[i].level, machine.caches[i - 1].level);
    EXPECT_GT(machine.caches[i].bytes * static_cast<std::size_t>(machine.caches[i].instances),
              machine.caches[i - 1].bytes);
  }
  EXPECT_EQ(machine.cache(99), nullptr);
  EXPECT_GE(last_level_cache_bytes(), 64u * 1024);
}

TEST(Topology, the_hardware_key_is_stable_and_names_the_cores) {
  EXPECT_EQ(hardware_key(), hardware_key());
  EXPECT_NE(hardware_key().find(std::to_string(topology().cores) + " core"), std::string::npos);
}

TEST(Topology, leaves_no_variable_behind) {
  topology();
  const char* path = std::getenv("HWLOC_PLUGINS_PATH");
  EXPECT_TRUE(path == nullptr || std::string(path) != "/nonexistent");
}

TEST(Topology, facts_have_unique_names) {
  std::vector<std::string> names;
  for (const Fact& fact : topology_facts()) names.push_back(fact.name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST(Topology, memory_is_told_in_gibibytes) {
  for (const Fact& fact : topology_facts()) {
    if (fact.name != "memory" || !fact.value) continue;
    EXPECT_TRUE(fact.value->ends_with(" GiB")) << *fact.value;
    const double bytes = std::stod(*fact.value) * double(1ull << 30);
    EXPECT_NEAR(bytes, static_cast<double>(topology().memory_bytes), 0.06 * double(1ull << 30));
  }
}

}  // namespace
}  // namespace aisp::device
