// SPDX-License-Identifier: Apache-2.0
/// \file
/// Finds the fastest of several probes in a given time.
///
///   settle(ceiling, {{.probe = "avx2", .measure = ...}, {.probe = "sse2", .measure = ...}}, seconds,
///   rankings);
///
/// Knows nothing of what is measured; peak.cpp lists the probes.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "aisp/core/ceiling.h"

namespace aisp::device {

/// One thing to try.
struct Candidate {
  std::string probe;
  std::function<double()> measure;  ///< higher is better
  bool sustained = false;           ///< its figure is the upper quartile of its repeats, not the best one
  std::vector<double> rates = {};   ///< all repeats, sorted
  std::size_t index = 0;            ///< in the order they were listed

  void try_once();
  /// 0 before the first try.
  double figure() const;
};

/// Orders in which candidates came out, by what was measured: the winners with one thread are tried first
/// with many.
using Rankings = std::map<std::string, std::vector<std::size_t>>;

/// Measures one ceiling: the best candidate's figure, and its name. Needs longer than `seconds` if that is
/// too short for a few tries.
void settle(Ceiling& ceiling, std::vector<Candidate> candidates, double seconds, Rankings& rankings);

}  // namespace aisp::device
