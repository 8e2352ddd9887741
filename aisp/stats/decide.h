// SPDX-License-Identifier: Apache-2.0
/// \file
/// From an interval of a speed-up to a word: detected is one question, large enough to matter another.
///
///   decide(1.010, 1.030, 0.02).outcome   // faster: the interval excludes 1
///   decide(1.005, 1.015, 0.02).small     // ... but lies inside [1/1.02, 1.02]: faster, small
///   decide(0.990, 1.015, 0.02).outcome   // equivalent: holds 1 and lies inside
///   decide(0.980, 1.050, 0.02).outcome   // inconclusive
///
/// Says nothing about validity: a guard may still reject the measurement.
#pragma once

#include <string_view>

namespace aisp::stats {

enum class Outcome { faster, slower, equivalent, inconclusive };

struct Decision {
  using Outcome = stats::Outcome;
  Outcome outcome = Outcome::inconclusive;
  bool small = false;  ///< a difference, but inside the region of practical equivalence
};

/// low, high: interval of the speed-up ratio; delta: half-width of the region [1 / (1 + delta), 1 + delta].
/// Inconclusive for anything that is not a pair of positive finite numbers in order with finite delta >= 0.
Decision decide(double low, double high, double delta);

std::string_view to_string(Outcome outcome);

}  // namespace aisp::stats
