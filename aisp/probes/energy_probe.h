// SPDX-License-Identifier: Apache-2.0
/// \file
/// Mean power by a counter of energy, while something else goes on over and over. Such counters move in
/// steps, ten a second on an H200, and take milliseconds to read: so a thread watches it for steps, and what
/// counts is what lies between the first step and the last.
///
///   EnergyProbe probe([&] { return sensors.joules(); });
///   while (probe.steps() < 11) work();
///   if (const auto power = probe.stop()) power->watts;
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <thread>

namespace aisp::probes {

struct MeanPower {
  double watts = 0;
  double uncertainty = 0;  ///< relative: how late both steps may have been seen, over the time between them
};

class EnergyProbe {
 public:
  /// Joules since any time; nothing where there is no counter.
  using Counter = std::function<std::optional<double>()>;

  explicit EnergyProbe(Counter counter, std::chrono::nanoseconds period = std::chrono::milliseconds(1));
  EnergyProbe(const EnergyProbe&) = delete;
  EnergyProbe& operator=(const EnergyProbe&) = delete;
  ~EnergyProbe() = default;

  /// Seen so far.
  int steps() const { return steps_; }
  /// Nothing where the counter could not be read or moved less than twice.
  std::optional<MeanPower> stop();

 private:
  struct Step {
    double joules = 0;
    double at_ns = 0;
    double after_ns = 0;  ///< since the look before, which did not see it
  };
  void watch(const std::stop_token& ending, std::chrono::nanoseconds period);

  Counter counter_;
  Step first_, last_;  ///< the thread's until it has ended
  std::atomic<int> steps_ = 0;
  std::jthread thread_;  ///< last: it uses the others
};

}  // namespace aisp::probes
