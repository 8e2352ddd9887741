// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cpu/affinity.h"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>

namespace aisp::device {
namespace {

/// More processors than glibc's fixed set of 1024 exist; the set grows until the kernel's fits.
std::vector<int> read_affinity() {
  for (int cpus = 1024; cpus <= 1 << 20; cpus *= 2) {
    cpu_set_t* set = CPU_ALLOC(cpus);
    const std::size_t bytes = CPU_ALLOC_SIZE(cpus);
    CPU_ZERO_S(bytes, set);
    std::vector<int> found;
    const bool fits = sched_getaffinity(0, bytes, set) == 0;
    if (fits)
      for (int cpu = 0; cpu < cpus; ++cpu)
        if (CPU_ISSET_S(cpu, bytes, set)) found.push_back(cpu);
    CPU_FREE(set);
    if (fits && !found.empty()) return found;
  }
  return {0};
}

/// Siblings share a line, whichever of them is asked; a processor without the file is a core of its own.
std::string core_of(int cpu) {
  std::string siblings;
  std::ifstream("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list") >>
      siblings;
  return siblings.empty() ? "cpu" + std::to_string(cpu) : siblings;
}

}  // namespace

std::vector<int> current_thread_cpus() { return read_affinity(); }

std::vector<int> allowed_cpus() {
  // Read once, before any thread is bound: later the answer would be the binding of whoever asks.
  static const std::vector<int> cpus = read_affinity();
  return cpus;
}

std::vector<int> cpus_by_core() {
  std::vector<int> first, rest;
  std::set<std::string> seen;
  for (const int cpu : allowed_cpus()) (seen.insert(core_of(cpu)).second ? first : rest).push_back(cpu);
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

int allowed_cores() {
  std::set<std::string> cores;
  for (const int cpu : allowed_cpus()) cores.insert(core_of(cpu));
  return static_cast<int>(cores.size());
}

bool allow_current_thread(const std::vector<int>& cpus) {
  if (cpus.empty()) return false;
  const int most = *std::max_element(cpus.begin(), cpus.end()) + 1;
  cpu_set_t* set = CPU_ALLOC(most);
  const std::size_t bytes = CPU_ALLOC_SIZE(most);
  CPU_ZERO_S(bytes, set);
  for (const int cpu : cpus) CPU_SET_S(cpu, bytes, set);
  const bool done = sched_setaffinity(0, bytes, set) == 0;
  CPU_FREE(set);
  return done;
}

bool pin_current_thread(int cpu) { return allow_current_thread({cpu}); }

}  // namespace aisp::device
