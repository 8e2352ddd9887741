// SPDX-License-Identifier: Apache-2.0
/// \file
/// The clock of every timed window: the invariant time-stamp counter where the processor has one, calibrated
/// against CLOCK_MONOTONIC_RAW, else CLOCK_MONOTONIC_RAW itself.
///
///   const Clock& clock = Clock::instance();   // the first call calibrates (about 20 ms, asleep)
///   const double start = clock.now_ns();
///   call();
///   const double ns = clock.now_ns() - start;
///
/// Not a wall clock: its zero is the moment of calibration. Two readings by different processes cannot be
/// compared.
#pragma once

#include <time.h>

#include <cstdint>
#include <optional>
#include <string>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace aisp::device {

/// All clocks read at one moment; the start of an interval over which they are compared.
struct ClockSnapshot {
  double own_ns = 0;
  std::int64_t raw_ns = 0;       ///< CLOCK_MONOTONIC_RAW: not slewed, stops in suspension
  std::int64_t boottime_ns = 0;  ///< CLOCK_BOOTTIME: slewed by NTP, runs on through suspension
};

class Clock {
 public:
  /// The calibrated clock of this process. Thread-safe; calibration happens once, on the first call.
  static const Clock& instance();

  /// Nanoseconds since calibration. Earlier instructions have executed, and later ones have not begun, when
  /// the counter is read (rdtscp waits for the former, the lfence holds back the latter).
  double now_ns() const {
#if defined(__x86_64__)
    if (ns_per_tick_ != 0) {
      unsigned cpu = 0;
      const std::uint64_t ticks = __rdtscp(&cpu);
      _mm_lfence();
      return static_cast<double>(static_cast<std::int64_t>(ticks - base_ticks_)) * ns_per_tick_;
    }
#endif
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return static_cast<double>((t.tv_sec * 1'000'000'000ll + t.tv_nsec) - base_raw_ns_);
  }

  double resolution_ns() const { return resolution_ns_; }  ///< smallest step seen between two readings
  double cost_ns() const { return cost_ns_; }              ///< median cost of one reading
  /// "tsc at 2793.4 MHz" or "CLOCK_MONOTONIC_RAW".
  std::string source() const;

  ClockSnapshot snapshot() const;
  /// How far this clock and the kernel's went apart since `start`, in millionths; nothing when less than 10
  /// ms have passed (reading two clocks is then not precise enough). A suspension of the machine shows as a
  /// large value.
  std::optional<double> disagreement_ppm(const ClockSnapshot& start) const;

 private:
  Clock();
  double ns_per_tick_ = 0;  ///< 0 = the kernel's clock is used
  std::uint64_t base_ticks_ = 0;
  std::int64_t base_raw_ns_ = 0;
  double resolution_ns_ = 0;
  double cost_ns_ = 0;
};

}  // namespace aisp::device
