// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/read_ceiling.h"

#include <algorithm>
#include <cmath>

#include "aisp/device/clock.h"

namespace aisp::harness {
namespace {

constexpr int kTries = 3;

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
  double least = HUGE_VAL;
  for (const device::BandwidthProbe& probe : device::bandwidth_probes(device::Traffic::read)) {
    for (int i = 0; i < kTries; ++i) {
      const double ns = run(sets, probe);
      if (ns >= least) continue;
      least = ns;
      chosen_ = probe;
    }
  }
}

double ReadCeiling::run(Sets sets, const device::BandwidthProbe& probe) {
  const auto& clock = device::Clock::instance();
  const device::ArmedTeam armed(team_);
  const double start = clock.now_ns();
  for (const auto& set : sets) {
    team_.run([&](int thread, int threads) {
      read_share(*set, probe, static_cast<std::size_t>(thread), static_cast<std::size_t>(threads));
    });
  }
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
