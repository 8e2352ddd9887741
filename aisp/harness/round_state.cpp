// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/round_state.h"

#include <atomic>
#include <cmath>
#include <csignal>
#include <ctime>
#include <fstream>

#include <sched.h>

namespace aisp::harness {
namespace {

std::atomic<int> continued_count{0};

double clock_ns(clockid_t id) {
  timespec t{};
  clock_gettime(id, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

/// The value after `key` in a file of "key value" lines.
std::optional<std::uint64_t> value_in(const char* path, const std::string& key) {
  std::ifstream file(path);
  std::string name;
  std::uint64_t value = 0;
  while (file >> name >> value) {
    if (name == key) return value;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> throttled_periods() {
  for (const char* path : {"/sys/fs/cgroup/cpu.stat", "/sys/fs/cgroup/cpu/cpu.stat"}) {
    if (const auto value = value_in(path, "nr_throttled")) return value;
  }
  return std::nullopt;
}

std::string allowed_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return "unknown";
  std::string text;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &cores)) text += std::to_string(i) + ' ';
  }
  return text;
}

}  // namespace

void watch_for_stops() {
  struct sigaction action {};
  action.sa_handler = [](int) { continued_count.fetch_add(1, std::memory_order_relaxed); };
  action.sa_flags = SA_RESTART;
  sigaction(SIGCONT, &action, nullptr);
}

RoundState::Snapshot RoundState::take() {
  return {.continued = continued_count.load(std::memory_order_relaxed),
          .suspended_ns = clock_ns(CLOCK_BOOTTIME) - clock_ns(CLOCK_MONOTONIC),
          .throttled = throttled_periods(),
          .swapped_in = value_in("/proc/vmstat", "pswpin"),
          .affinity = allowed_cores()};
}

void RoundState::begin() { before_ = take(); }

std::string RoundState::end() const {
  const Snapshot now = take();
  if (now.continued != before_.continued) return "the process was stopped and continued";
  if (std::fabs(now.suspended_ns - before_.suspended_ns) > 1e6) return "the machine was suspended";
  if (now.throttled != before_.throttled) return "the CPU quota throttled the process";
  if (now.swapped_in != before_.swapped_in) return "pages were swapped in";
  if (now.affinity != before_.affinity) return "the allowed cores changed";
  return "";
}

}  // namespace aisp::harness
