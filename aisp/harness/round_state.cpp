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

namespace aisp::harness {
namespace {

std::atomic<int> continued_count{0};

double clock_ns(clockid_t id) {
  timespec t{};
  clock_gettime(id, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

/// A counter in a file of "key value" lines that the kernel writes afresh for every reader. The file stays
/// open: it is read twice in every round, and opening and parsing it as a stream costs several times what the
/// kernel needs.
class KernelCounter {
 public:
  KernelCounter(const char* path, std::string_view key) : fd_(open(path, O_RDONLY | O_CLOEXEC)), key_(key) {
    key_ += ' ';
  }
  std::optional<std::uint64_t> read() const {
    if (fd_ < 0) return std::nullopt;
    const ssize_t length = pread(fd_, text_.data(), text_.size(), 0);
    if (length <= 0) return std::nullopt;
    const std::string_view text(text_.data(), static_cast<std::size_t>(length));
    for (std::size_t at = text.find(key_); at != std::string_view::npos; at = text.find(key_, at + 1)) {
      if (at != 0 && text[at - 1] != '\n') continue;
      std::uint64_t value = 0;
      const char* begin = text.data() + at + key_.size();
      if (std::from_chars(begin, text.data() + text.size(), value).ec == std::errc{}) return value;
    }
    return std::nullopt;
  }

 private:
  int fd_;  ///< open for the life of the process
  std::string key_;
  mutable std::array<char, 16384> text_{};
};

std::optional<std::uint64_t> throttled_periods() {
  static const KernelCounter unified("/sys/fs/cgroup/cpu.stat", "nr_throttled");
  static const KernelCounter legacy("/sys/fs/cgroup/cpu/cpu.stat", "nr_throttled");
  const auto value = unified.read();
  return value ? value : legacy.read();
}

std::optional<std::uint64_t> pages_swapped_in() {
  static const KernelCounter counter("/proc/vmstat", "pswpin");
  return counter.read();
}

cpu_set_t allowed_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  sched_getaffinity(0, sizeof cores, &cores);  // on failure the set stays empty, before and after
  return cores;
}

}  // namespace

void watch_for_stops() {
  struct sigaction action{};
  action.sa_handler = [](int) { continued_count.fetch_add(1, std::memory_order_relaxed); };
  action.sa_flags = SA_RESTART;
  sigaction(SIGCONT, &action, nullptr);
}

MachineState MachineState::now() {
  return {.continued = continued_count.load(std::memory_order_relaxed),
          .suspended_ns = clock_ns(CLOCK_BOOTTIME) - clock_ns(CLOCK_MONOTONIC),
          .throttled = throttled_periods(),
          .swapped_in = pages_swapped_in(),
          .cores = allowed_cores()};
}

std::string discard_reason(const MachineState& before, const MachineState& after) {
  if (after.continued != before.continued) return "the process was stopped and continued";
  if (std::fabs(after.suspended_ns - before.suspended_ns) > 1e6) return "the machine was suspended";
  if (after.throttled != before.throttled) return "the CPU quota throttled the process";
  if (after.swapped_in != before.swapped_in) return "pages were swapped in";
  if (CPU_EQUAL(&after.cores, &before.cores) == 0) return "the allowed cores changed";
  return "";
}

}  // namespace aisp::harness
