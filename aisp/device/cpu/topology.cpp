// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cpu/topology.h"

#include <hwloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "aisp/core/check.h"
#include "aisp/device/cpu/hwloc_udev.h"

namespace aisp::device {
namespace {

/// "model name" and "flags" of the first processor; other architectures name them differently.
void read_cpuinfo(Topology& machine) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line) && !line.empty();) {
    const auto colon = line.find(':');
    if (colon == std::string::npos || colon + 2 > line.size()) continue;
    const std::string key = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1);
    const std::string value = line.substr(colon + 2);
    if (key == "model name" || (key == "Processor" && machine.model.empty())) machine.model = value;
    if (key == "flags" || key == "Features") {
      std::istringstream words(value);
      for (std::string flag; words >> flag;) machine.flags.push_back(flag);
    }
  }
}

struct Loaded {
  hwloc_topology_t handle = nullptr;
  ~Loaded() {
    if (handle != nullptr) hwloc_topology_destroy(handle);
  }
  bool load(bool with_x86) {
    if (hwloc_topology_init(&handle) != 0) {
      handle = nullptr;
      return false;
    }
    // The x86 component runs on every processor in turn to ask it; the kernel's files say the same without
    // moving.
    if (!with_x86) hwloc_topology_set_components(handle, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
    return hwloc_topology_load(handle) == 0;
  }
};

std::vector<Cache> read_caches(hwloc_topology_t handle) {
  std::vector<Cache> caches;
  int level = 0;
  for (const hwloc_obj_type_t type :
       {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE}) {
    ++level;
    const int instances = hwloc_get_nbobjs_by_type(handle, type);
    if (instances <= 0) continue;
    const hwloc_obj_t first = hwloc_get_obj_by_type(handle, type, 0);
    if (first->attr->cache.size == 0) continue;
    const int cores = hwloc_get_nbobjs_inside_cpuset_by_type(handle, first->cpuset, HWLOC_OBJ_CORE);
    caches.push_back({.level = level,
                      .bytes = static_cast<std::size_t>(first->attr->cache.size),
                      .line = first->attr->cache.linesize != 0 ? first->attr->cache.linesize : 64,
                      .instances = instances,
                      .cores_sharing = std::max(1, cores)});
  }
  return caches;
}

Topology read_topology() {
  AISP_CHECK(udev_is_absent(), "hwloc was linked with a udev that is not ours");
  Topology machine;
  read_cpuinfo(machine);
  // hwloc would load plugins installed on the machine, built against another copy of itself and of no use
  // here. The variable is read while a topology is initialised and taken back at once, so that no child
  // inherits it.
  const bool set_here = std::getenv("HWLOC_PLUGINS_PATH") == nullptr;
  if (set_here) setenv("HWLOC_PLUGINS_PATH", "/nonexistent", 0);
  Loaded plain, asked;
  Loaded* best = plain.load(false) ? &plain : nullptr;
  // Some virtual machines show no caches in /sys; then the processor is asked after all.
  if ((best == nullptr || read_caches(best->handle).empty()) && asked.load(true)) best = &asked;
  if (set_here) unsetenv("HWLOC_PLUGINS_PATH");
  if (best != nullptr) {
    const auto count = [&](hwloc_obj_type_t type) {
      return std::max(0, hwloc_get_nbobjs_by_type(best->handle, type));
    };
    machine.packages = count(HWLOC_OBJ_PACKAGE);
    machine.cores = count(HWLOC_OBJ_CORE);
    machine.pus = count(HWLOC_OBJ_PU);
    machine.numa_nodes = count(HWLOC_OBJ_NUMANODE);
    machine.caches = read_caches(best->handle);
    if (machine.model.empty())
      if (const hwloc_obj_t package = hwloc_get_obj_by_type(best->handle, HWLOC_OBJ_PACKAGE, 0))
        if (const char* model = hwloc_obj_get_info_by_name(package, "CPUModel")) machine.model = model;
  }
  // Not hwloc's sum over NUMA nodes: virtual machines with hot-plugged memory show only a part of it there.
  const auto pages = std::max(0l, sysconf(_SC_PHYS_PAGES));
  machine.memory_bytes =
      static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  if (machine.pus == 0) machine.pus = static_cast<int>(std::max(1l, sysconf(_SC_NPROCESSORS_ONLN)));
  if (machine.cores == 0) machine.cores = machine.pus;
  return machine;
}

/// "7.8 GiB": a machine's memory has eight digits of KiB.
std::string gib(std::uint64_t bytes) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f GiB", static_cast<double>(bytes) / double(1ull << 30));
  return text.data();
}

std::string kib(std::size_t bytes) { return std::to_string(bytes / 1024) + " KiB"; }

}  // namespace

const Cache* Topology::cache(int level) const {
  const auto found = std::ranges::find_if(caches, [&](const Cache& c) { return c.level == level; });
  return found == caches.end() ? nullptr : &*found;
}

const Cache* Topology::last_level() const { return caches.empty() ? nullptr : &caches.back(); }

const Topology& topology() {
  static const Topology machine = read_topology();
  return machine;
}

std::size_t last_level_cache_bytes() {
  const Cache* last = topology().last_level();
  return last != nullptr ? last->bytes : std::size_t{32} << 20;
}

std::string hardware_key() {
  const Topology& machine = topology();
  const double gib = static_cast<double>(machine.memory_bytes) / double(1ull << 30);
  const double step = gib < 64 ? 1 : 8;
  const std::string memory = machine.memory_bytes == 0
                                 ? "memory unknown"
                                 : std::to_string(static_cast<long>(std::ceil(gib / step) * step)) + " GiB";
  return (machine.model.empty() ? "unknown processor" : machine.model) + " | " +
         std::to_string(machine.cores) + (machine.cores == 1 ? " core | " : " cores | ") + memory;
}

std::vector<Fact> topology_facts() {
  const Topology& machine = topology();
  const auto known = [](const std::string& text) {
    return text.empty() ? std::nullopt : std::optional<std::string>(text);
  };
  std::vector<Fact> facts{{"cpu model", known(machine.model)},
                          {"cpu packages", std::to_string(machine.packages)},
                          {"cpu cores", std::to_string(machine.cores)},
                          {"cpu hardware threads", std::to_string(machine.pus)},
                          {"numa nodes", std::to_string(machine.numa_nodes)},
                          {"memory", known(machine.memory_bytes == 0 ? "" : gib(machine.memory_bytes))}};
  for (const Cache& c : machine.caches)
    facts.push_back({"cache L" + std::to_string(c.level), kib(c.bytes) + " x " + std::to_string(c.instances) +
                                                              ", line " + std::to_string(c.line) + " bytes"});
  std::string flags;
  for (const std::string& flag : machine.flags) flags += (flags.empty() ? "" : " ") + flag;
  facts.push_back({"cpu flags", known(flags)});
  return facts;
}

}  // namespace aisp::device
