// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/window_plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "aisp/device/clock.h"
#include "aisp/device/cpu/topology.h"
#include "aisp/guards/limits.h"

namespace aisp::harness {
namespace {

// A window this long is a thousand clock steps or more, and short against scheduler ticks.
constexpr double kShortestWindowNs = 20e3;
// Enough for a call of 5 ns where the clock has steps of 20.
constexpr double kMostCalls = 8192;
// Every buffer is mappings of its own, and the kernel allows 65,530 of them.
constexpr std::size_t kMostBuffers = 16384;
// The second look of the default plan.
constexpr double kWantedRounds = 48;
constexpr double kSlow = 1.5;  // times all others together
constexpr int kRarely = 8;

}  // namespace

double shortest_window_ns() {
  const auto& clock = device::Clock::instance();
  // Twice what the guard demands, since warm estimates are upper ones.
  return std::max({kShortestWindowNs, 2 * guards::kWindowPerResolution * clock.resolution_ns(),
                   2 * guards::kWindowPerClockCost * clock.cost_ns()});
}

int calls_per_window(const CellSpec& spec, const WindowRequest& request) {
  const auto set_bytes = static_cast<double>(std::max<std::size_t>(request.set_bytes, 1));
  // A call was timed alone, the reading of the clock with it: of the shortest calls that is most of it. Never
  // less than a quarter is left, since the cost of reading is itself only known to a step or two.
  const double timed = request.fastest_call_ns;
  const double alone = std::max({timed - device::Clock::instance().cost_ns(), timed / 4, 1.0});
  double calls = std::ceil(shortest_window_ns() / alone);
  if (spec.cache == CacheMode::steady)
    calls = std::max(calls, std::ceil(2.0 * device::last_level_cache_bytes() / set_bytes));
  if (spec.calls > 0) calls = spec.calls;
  const double room = 0.25 * request.free_bytes / set_bytes;
  const std::size_t sets = kMostBuffers / std::max<std::size_t>(request.tensors, 1);
  return static_cast<int>(
      std::clamp(std::min(calls, room), 1.0, std::max(1.0, std::min(kMostCalls, static_cast<double>(sets)))));
}

std::vector<int> sampling_periods(const std::vector<double>& window_ns, double seconds, double besides_ns) {
  std::vector<int> periods(window_ns.size(), 1);
  const double round_ns = std::accumulate(window_ns.begin(), window_ns.end(), besides_ns);
  if (seconds <= 0 || round_ns * kWantedRounds <= seconds * 1e9) return periods;
  for (std::size_t i = 0; i < window_ns.size(); ++i) {
    const double others = round_ns - window_ns[i];
    if (others > 0 && window_ns[i] > kSlow * others) periods[i] = kRarely;
  }
  return periods;
}

}  // namespace aisp::harness
