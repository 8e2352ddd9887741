// SPDX-License-Identifier: Apache-2.0
#include "aisp/probes/energy_probe.h"

#include <algorithm>
#include <utility>

#include "aisp/device/clock.h"

namespace aisp::probes {

EnergyProbe::EnergyProbe(Counter counter, std::chrono::nanoseconds period)
    : counter_(std::move(counter)),
      thread_([this, period](const std::stop_token& ending) { watch(ending, period); }) {}

void EnergyProbe::watch(const std::stop_token& ending, std::chrono::nanoseconds period) {
  const auto& clock = device::Clock::instance();
  std::optional<double> known = counter_();
  double looked_ns = clock.now_ns();
  while (known && !ending.stop_requested()) {
    std::this_thread::sleep_for(period);
    const std::optional<double> joules = counter_();
    const double now_ns = clock.now_ns();
    if (joules && *joules != *known) {
      last_ = {.joules = *joules, .at_ns = now_ns, .after_ns = now_ns - looked_ns};
      if (steps_++ == 0) first_ = last_;
    }
    known = joules;
    looked_ns = now_ns;
  }
}

std::optional<MeanPower> EnergyProbe::stop() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
  const double ns = last_.at_ns - first_.at_ns, joules = last_.joules - first_.joules;
  if (steps_ < 2 || !(ns > 0) || !(joules > 0)) return std::nullopt;  // less: the driver was loaded again
  return MeanPower{.watts = joules / (ns * 1e-9),
                   .uncertainty = std::max(first_.after_ns, last_.after_ns) / ns};
}

}  // namespace aisp::probes
