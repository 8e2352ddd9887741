// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/clock.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <vector>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace aisp::device {
namespace {

std::int64_t read_clock(clockid_t id) {
  timespec t{};
  clock_gettime(id, &t);
  return t.tv_sec * 1'000'000'000ll + t.tv_nsec;
}

#if defined(__x86_64__)
/// Constant rate and running in every sleep state, as the processor promises it, and not given up by the
/// kernel (which falls back to a slow clock source when it finds the counters of two cores apart).
bool counter_is_trustworthy() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(0x80000001, &a, &b, &c, &d) || !(d & (1u << 27))) return false;  // rdtscp
  if (!__get_cpuid(0x80000007, &a, &b, &c, &d) || !(d & (1u << 8))) return false;   // invariant
  std::string kernels;
  std::ifstream("/sys/devices/system/clocksource/clocksource0/current_clocksource") >> kernels;
  for (const char* slow : {"hpet", "acpi_pm", "jiffies", "refined-jiffies"})
    if (kernels == slow) return false;
  return true;
}

struct Pair {
  std::uint64_t ticks = 0;
  std::int64_t raw_ns = 0;
};

/// Both clocks at one moment: of several readings the one with the shortest bracket, so that a pre-emption
/// between the two cannot spoil it. Uncertain by half a bracket, some 20 ns.
Pair read_both() {
  Pair best;
  std::uint64_t shortest = ~0ull;
  for (int i = 0; i < 16; ++i) {
    unsigned cpu = 0;
    const std::uint64_t before = __rdtscp(&cpu);
    _mm_lfence();
    const std::int64_t raw = read_clock(CLOCK_MONOTONIC_RAW);
    const std::uint64_t after = __rdtscp(&cpu);
    _mm_lfence();
    if (after - before < shortest) {
      shortest = after - before;
      best = {before + (after - before) / 2, raw};
    }
  }
  return best;
}
#endif

}  // namespace

const Clock& Clock::instance() {
  static const Clock clock;
  return clock;
}

/// Two pairs 20 ms apart, each uncertain by some 20 ns: 2 ppm. A longer pause would gain nothing, since the
/// rate of a crystal differs by more than that from one minute to the next.
Clock::Clock() {
  base_raw_ns_ = read_clock(CLOCK_MONOTONIC_RAW);
#if defined(__x86_64__)
  if (counter_is_trustworthy()) {
    const Pair first = read_both();
    const timespec pause{0, 20'000'000};
    nanosleep(&pause, nullptr);  // asleep: workers start often and share the machine
    const Pair second = read_both();
    const double ticks = static_cast<double>(second.ticks - first.ticks);
    const double ns = static_cast<double>(second.raw_ns - first.raw_ns);
    if (ticks > 0 && ns > 0) {
      ns_per_tick_ = ns / ticks;
      base_ticks_ = first.ticks;
      base_raw_ns_ = first.raw_ns;
    }
  }
#endif
  std::array<double, 256> steps{};
  double last = now_ns();
  for (double& step : steps) {
    const double now = now_ns();
    step = now - last;
    last = now;
  }
  std::sort(steps.begin(), steps.end());
  cost_ns_ = steps[steps.size() / 2];
  // The counter's own step is its tick; readings can be no closer than one reading takes. What a window can
  // resolve is the larger.
  const auto positive = std::find_if(steps.begin(), steps.end(), [](double s) { return s > 0; });
  resolution_ns_ = positive != steps.end() ? *positive : cost_ns_;
}

std::string Clock::source() const {
  if (ns_per_tick_ == 0) return "CLOCK_MONOTONIC_RAW";
  char text[64];
  std::snprintf(text, sizeof text, "tsc at %.1f MHz", 1e3 / ns_per_tick_);
  return text;
}

ClockSnapshot Clock::snapshot() const {
  ClockSnapshot best;
  double shortest = HUGE_VAL;
  for (int i = 0; i < 8; ++i) {
    const double before = now_ns();
    const std::int64_t raw = read_clock(CLOCK_MONOTONIC_RAW);
    const std::int64_t boot = read_clock(CLOCK_BOOTTIME);
    const double after = now_ns();
    if (after - before < shortest) {
      shortest = after - before;
      best = {(before + after) / 2, raw, boot};
    }
  }
  return best;
}

std::optional<double> Clock::disagreement_ppm(const ClockSnapshot& start) const {
  const ClockSnapshot end = snapshot();
  const double own = end.own_ns - start.own_ns;
  const auto raw = static_cast<double>(end.raw_ns - start.raw_ns);
  const auto boot = static_cast<double>(end.boottime_ns - start.boottime_ns);
  if (!(raw >= 10e6)) return std::nullopt;
  const double against_raw = std::abs(own - raw) / raw * 1e6;
  // NTP may slew the boot-time clock by 500 ppm, so up to there it says nothing; beyond, the machine was
  // suspended or its time was stepped.
  const double against_boot = std::abs(own - boot) / raw * 1e6;
  return against_boot > 600 ? std::max(against_raw, against_boot) : against_raw;
}

}  // namespace aisp::device
