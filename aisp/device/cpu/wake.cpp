// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cpu/wake.h"

#include <algorithm>

#include "aisp/device/clock.h"
#include "aisp/device/cpu/arithmetic_probes.h"

namespace aisp::device {
namespace {

constexpr double kAwakeNs = 150e3;
constexpr std::size_t kTurns = 256;  // some microseconds between looks at the clock

/// The probe with the most operations a turn has the widest registers.
ArithmeticProbe widest_probe() {
  const auto probes = arithmetic_probes();
  const auto widest = std::ranges::max_element(
      probes, {}, [](const ArithmeticProbe& p) { return p.type == DType::f32 ? p.operations_per_turn : 0; });
  return widest == probes.end() ? ArithmeticProbe{} : *widest;
}

}  // namespace

void wake_vector_units(PinnedTeam& team) {
  static const ArithmeticProbe probe = widest_probe();
  if (probe.run == nullptr) return;
  const ArmedTeam armed(team);
  team.run([](int, int) {
    const Clock& clock = Clock::instance();
    for (const double end = clock.now_ns() + kAwakeNs; clock.now_ns() < end;) probe.run(kTurns);
  });
}

}  // namespace aisp::device
