// SPDX-License-Identifier: Apache-2.0
/// \file
/// A team of pinned threads with memory of their own, on which probes are timed.
///
///   PeakBench bench(2, bytes_per_thread);
///   const double rate = bench.cached_bandwidth(Traffic::read, probe, 32 << 10, PeakBench::kOffset);
///
/// Measures one thing once; which things and how often is decided in peak.cpp.
#pragma once

#include <cstddef>
#include <vector>

#include "aisp/device/buffer.h"
#include "aisp/device/clock.h"
#include "aisp/device/cpu/arithmetic_probes.h"
#include "aisp/device/cpu/bandwidth_probes.h"
#include "aisp/device/cpu/pinned_team.h"

namespace aisp::device {

/// The mean of the times of equal pieces of work, without those that took half as long again as the fastest
/// quarter did: memory varies by less, and a thread that had to wait for its core is off by far more.
double uninterrupted_mean(std::vector<double> times);

class PeakBench {
 public:
  /// How far arrays are shifted against each other within their pages; see arrays().
  static constexpr std::size_t kOffset = 1088;
  /// What all threads together move in a timed stretch from memory: several milliseconds, so that luck
  /// averages out within it.
  static constexpr std::size_t kLongPass = std::size_t{64} << 20;

  /// Each thread makes its own memory, so that it lies on that thread's NUMA node.
  PeakBench(int threads, std::size_t bytes_per_thread);

  int threads() const { return team_.size(); }
  Buffer& memory(int thread) { return memory_[static_cast<std::size_t>(thread)]; }

  /// Useful bytes a second of all threads together, from data that stays in cache.
  double cached_bandwidth(Traffic traffic, const BandwidthProbe& probe, std::size_t set, std::size_t offset);

  /// The same for sets that no cache holds: over a stretch of kLongPass bytes, as a workload's call would be,
  /// without the pieces of it that were interrupted. Every byte was last touched a whole set ago; the next
  /// call goes on where this one ended.
  double streamed_bandwidth(Traffic traffic, const BandwidthProbe& probe, std::size_t set);

  /// Operations a second of all threads together.
  double operations(const ArithmeticProbe& probe);

  /// Time until all threads have done body(thread).
  template <class Body>
  double time_ns(const Body& body) {
    const Clock& clock = Clock::instance();
    const double start = clock.now_ns();
    team_.run([&](int thread, int) { body(thread); });
    return clock.now_ns() - start;
  }

 private:
  ProbeArrays arrays(int thread, Traffic traffic, std::size_t set, std::size_t offset);

  PinnedTeam team_;
  std::vector<Buffer> memory_;
  std::size_t position_ = 0;  ///< of the next piece to be streamed
};

}  // namespace aisp::device
