// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/round_state.h"

#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <csignal>
#include <ctime>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

#include "aisp/core/evidence.h"
#include "aisp/probes/cgroup.h"

namespace aisp::harness {
namespace {

std::atomic<int> continued_count{0};

double clock_ns(clockid_t id) {
  timespec t{};
  clock_gettime(id, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

std::optional<std::uint64_t> value_after(std::string_view key, std::string_view text) {
  for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    if (at != 0 && text[at - 1] != '\n') continue;
    std::uint64_t value = 0;
    const char* begin = text.data() + at + key.size();
    if (std::from_chars(begin, text.data() + text.size(), value).ec == std::errc{}) return value;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> throttled_periods() {
  static const KernelCounter counter(probes::cgroup_cpu_stat_files(), {"nr_throttled"});
  return counter.read();
}

std::optional<std::uint64_t> pages_swapped() {
  static const KernelCounter counter({"/proc/vmstat"}, {"pswpin", "pswpout"});
  return counter.read();
}

cpu_set_t allowed_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  sched_getaffinity(0, sizeof cores, &cores);  // on failure the set stays empty, before and after
  return cores;
}

}  // namespace

KernelCounter::KernelCounter(const std::vector<std::string>& files, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) keys_.push_back(key + ' ');
  for (const std::string& file : files) {
    const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd >= 0) open_.push_back(fd);
  }
}

KernelCounter::~KernelCounter() {
  for (const int fd : open_) close(fd);
}

std::optional<std::uint64_t> KernelCounter::read() const {
  std::optional<std::uint64_t> total;
  std::array<char, 16384> buffer;
  for (const int fd : open_) {
    const ssize_t length = pread(fd, buffer.data(), buffer.size(), 0);
    if (length <= 0) continue;
    const std::string_view text(buffer.data(), static_cast<std::size_t>(length));
    for (const std::string& key : keys_) {
      if (const auto value = value_after(key, text)) total = total.value_or(0) + *value;
    }
  }
  return total;
}

void watch_for_stops() {
  struct sigaction action{};
  action.sa_sigaction = [](int, siginfo_t* info, void*) {
    // Nobody was stopped where the process sent it to itself, by a call or by a timer: a variant must not be
    // able to discard the rounds it does not like.
    const bool sent = info->si_code == SI_USER || info->si_code == SI_TKILL || info->si_code == SI_QUEUE;
    if ((sent && info->si_pid == getpid()) || info->si_code == SI_TIMER) return;
    continued_count.fetch_add(1, std::memory_order_relaxed);
  };
  action.sa_flags = SA_RESTART | SA_SIGINFO;
  sigaction(SIGCONT, &action, nullptr);
}

MachineState MachineState::now() {
  return {.continued = continued_count.load(std::memory_order_relaxed),
          .suspended_ns = clock_ns(CLOCK_BOOTTIME) - clock_ns(CLOCK_MONOTONIC),
          .throttled = throttled_periods(),
          .swapped = pages_swapped(),
          .cores = allowed_cores()};
}

std::string discard_reason(const MachineState& before, const MachineState& after) {
  std::string reasons;
  const auto add = [&](bool broken, std::string_view reason) {
    if (broken) (reasons += reasons.empty() ? "" : ", ") += reason;
  };
  add(after.continued != before.continued, "the process was stopped and continued");
  add(std::fabs(after.suspended_ns - before.suspended_ns) > 1e6, "the machine was suspended");
  add(after.throttled != before.throttled, kRoundThrottled);
  add(after.swapped != before.swapped, kRoundSwapped);
  add(CPU_EQUAL(&after.cores, &before.cores) == 0, "the allowed cores changed");
  return reasons;
}

}  // namespace aisp::harness
