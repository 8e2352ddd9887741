// SPDX-License-Identifier: Apache-2.0
/// \file
/// Measures what this machine can do at most: bandwidth by cache level, latency, arithmetic. Each ceiling is
/// the maximum over several probes (instruction sets, unrolls, streams, prefetch, non-temporal stores), and
/// names the probe that won. A probe's figure is its best repeat where data stays in a cache; from memory it
/// is what the probe sustains (docs/design/ceilings.md says why).
///
///   const Ceilings ceilings = measure_ceilings({.seconds = 5}, [](double done, const std::string& what)
///   {...}); const Ceiling* read = ceilings.find("read", "L2", 1);
///
/// Bandwidth counts useful bytes: copy 2x, triad 3x the array. A level's value is the best over working sets
/// from just above the level below up to its capacity, since data between two levels is served by both. Sets
/// between the last-level cache and twice its size have entries of their own, level "L3+memory". Not a
/// model of the machine, and not a benchmark of memory under load: only upper bounds.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "aisp/core/ceiling.h"

namespace aisp::device {

struct PeakOptions {
  double seconds = 5;            ///< aimed at, set-up included; 30 for a thorough measurement
  std::vector<int> threads;      ///< empty = one and all allowed cores
  std::size_t memory_bytes = 0;  ///< working set of "memory"; 0 = four last-level caches
  bool latency = true;
  bool arithmetic = true;
  bool consistent = true;  ///< apply make_consistent()
};

/// `done` from 0 to 1, and what is measured now ("read of L2, 2 threads").
using PeakProgress = std::function<void(double done, const std::string& what)>;

Ceilings measure_ceilings(const PeakOptions& options = {}, const PeakProgress& progress = {});

/// A level nearer to the core can do whatever one farther away was seen to do, and more threads whatever
/// fewer did. Where noise made a measurement say otherwise, the lower value is raised and the probe says from
/// where.
void make_consistent(Ceilings& ceilings);

}  // namespace aisp::device
