// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/read_ceiling.h"

#include <algorithm>
#include <cmath>

#include "aisp/device/clock.h"
#include "aisp/stats/summary.h"

namespace aisp::harness {
namespace {

constexpr int kTries = 5;

std::size_t blocks_of(const TensorView& tensor) { return tensor.bytes() / device::kProbeBlock; }

void read_share(const TensorSet& set, const device::BandwidthProbe& probe, std::size_t thread,
                std::size_t threads) {
  for (const TensorView& input : set.inputs()) {
    const std::size_t first = blocks_of(input) * thread / threads;
    const std::size_t last = blocks_of(input) * (thread + 1) / threads;
    if (first == last) continue;
    probe.run({.a = input.data + first * device::kProbeBlock, .bytes = (last - first) * device::kProbeBlock},
              1);
  }
}

}  // namespace

void ReadCeiling::choose(Sets sets) {
  const auto probes = device::bandwidth_probes(device::Traffic::read);
  std::vector<std::vector<double>> times(probes.size());
  // In turn, so that a busy second is every probe's.
  for (int i = 0; i < kTries; ++i) {
    for (std::size_t p = 0; p < probes.size(); ++p) times[p].push_back(run(sets, probes[p]));
  }
  typical_ns_ = HUGE_VAL;
  for (std::size_t p = 0; p < probes.size(); ++p) {
    const double typical = stats::median(times[p]);
    if (typical >= typical_ns_) continue;
    typical_ns_ = typical;
    chosen_ = probes[p];
  }
}

double ReadCeiling::run(Sets sets, const device::BandwidthProbe& probe) {
  const auto& clock = device::Clock::instance();
  const device::ArmedTeam armed(team_);
  const double start = clock.now_ns();
  team_.run([&](int thread, int threads) {
    for (const auto& set : sets)
      read_share(*set, probe, static_cast<std::size_t>(thread), static_cast<std::size_t>(threads));
  });
  return clock.now_ns() - start;
}

std::string ReadCeiling::name() const { return std::string("read (") + chosen_.name + ")"; }

double ReadCeiling::bytes_of(const TensorSet& set) {
  double bytes = 0;
  for (const TensorView& input : set.inputs())
    bytes += static_cast<double>(blocks_of(input) * device::kProbeBlock);
  return bytes;
}

}  // namespace aisp::harness
