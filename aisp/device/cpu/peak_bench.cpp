// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cpu/peak_bench.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace aisp::device {

PeakBench::PeakBench(int threads, std::size_t bytes_per_thread)
    : team_(threads), memory_(static_cast<std::size_t>(threads)) {
  // The blocks on top leave room to round arrays up and to move them apart.
  const std::size_t bytes = bytes_per_thread + 16 * kProbeBlock;
  team_.run([&](int thread, int) {
    memory_[static_cast<std::size_t>(thread)] = Buffer(bytes, {.huge_pages = true});
  });
  team_.arm();
}

double PeakBench::cached_bandwidth(Traffic traffic, const BandwidthProbe& probe, std::size_t set,
                                   std::size_t offset) {
  // About 0.1 ms: long against the handshake and short against a time slice.
  constexpr std::size_t kWindow = std::size_t{16} << 20;
  const std::size_t useful =
      arrays(0, traffic, set, offset).bytes * static_cast<std::size_t>(arrays_of(traffic));
  const std::size_t passes = std::max<std::size_t>(1, kWindow / useful);
  const double ns = time_ns([&](int thread) { probe.run(arrays(thread, traffic, set, offset), passes); });
  return static_cast<double>(useful) * static_cast<double>(passes) * threads() / ns * 1e9;
}

double PeakBench::streamed_bandwidth(Traffic traffic, const BandwidthProbe& probe, std::size_t set) {
  constexpr std::size_t kPiece = std::size_t{4} << 20;
  const auto count = static_cast<std::size_t>(arrays_of(traffic));
  const std::size_t whole = arrays(0, traffic, set, kOffset).bytes;
  const std::size_t piece = std::min(whole, kPiece / count / kProbeBlock * kProbeBlock);
  const std::size_t pieces = whole / piece;
  const std::size_t moved = piece * count * static_cast<std::size_t>(threads());
  const std::size_t turns = (kLongPass + moved - 1) / moved;
  std::vector<double> times;
  for (std::size_t i = 0; i < turns; ++i) {
    const std::size_t begin = position_++ % pieces * piece;
    times.push_back(time_ns([&](int thread) {
      const ProbeArrays x = arrays(thread, traffic, set, kOffset);
      probe.run({x.a + begin, x.b + begin, x.c + begin, piece}, 1);
    }));
  }
  return static_cast<double>(moved) / uninterrupted_mean(std::move(times)) * 1e9;
}

double PeakBench::operations(const ArithmeticProbe& probe) {
  constexpr std::size_t kTurns = 40'000;  // 0.1 ms and more: a hundred times the handshake
  const double ns = time_ns([&](int) { probe.run(kTurns); });
  return probe.operations_per_turn * double(kTurns) * threads() / ns * 1e9;
}

double uninterrupted_mean(std::vector<double> times) {
  std::ranges::sort(times);
  const double longest = 1.5 * times[times.size() / 4];
  const auto end = std::ranges::upper_bound(times, longest);
  return std::accumulate(times.begin(), end, 0.0) / static_cast<double>(end - times.begin());
}

/// The arrays start at different offsets in their pages: a load that matches an earlier store in its low
/// twelve bits waits for it. Which offset is best depends on how deep the store buffer is, so several are
/// tried. Lengths are rounded up: a set just above a cache must not shrink into it.
ProbeArrays PeakBench::arrays(int thread, Traffic traffic, std::size_t set, std::size_t offset) {
  const auto count = static_cast<std::size_t>(arrays_of(traffic));
  const std::size_t bytes = (set / count + kProbeBlock - 1) / kProbeBlock * kProbeBlock;
  std::byte* base = memory(thread).data();
  const std::size_t step = bytes + kProbeBlock + offset;
  return {base, base + (count > 1 ? step : 0), base + (count > 2 ? 2 * step : 0), bytes};
}

}  // namespace aisp::device
