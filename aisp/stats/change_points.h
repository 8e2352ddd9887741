// SPDX-License-Identifier: Apache-2.0
/// \file
/// Places in a series after which its values come from another distribution: E-divisive with a permutation
/// test, on ranks.
///
///   for (const ChangePoint& c : change_points(values, {})) report(c.at, c.p_value);
///
/// The series is cut at its best split (energy_split.h) if shuffled copies of it hardly ever have one as
/// good, and its parts are treated the same. Without a change the first test ends it, so that a series of
/// independent values gets a change point with a probability of at most alpha, whatever their distribution.
/// Ranks, because a few values far out would otherwise drown a step of some sigma.
/// Where neighbours resemble each other a caller says how much, and shuffled copies are made to as well.
/// Deterministic: the same values and options give the same answer on every machine. segments.h asks the
/// question people have: it finds out about the neighbours, and about slopes, which are cut into steps here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace aisp::stats {

struct ChangePointOptions {
  double alpha = 0.002;  ///< of the first cut, and so of any in a series without a change
  /// Of the cuts in the parts of a series that has one. A series without a change hardly ever gets there, so
  /// this is paid for by precision and not by histories that look changed. Never below alpha.
  double alpha_within = 0.01;
  std::size_t least = 5;    ///< values on either side of a change point
  int permutations = 1999;  ///< alpha times one more than this decides: 4 here, and 20 within
  double lag1 = 0;          ///< autocorrelation of neighbours, within levels (shared_lag1())
  std::uint64_t seed = 1;
};

struct ChangePoint {
  std::size_t at = 0;  ///< the first value after the change
  double p_value = 1;
};

/// In order. Empty for fewer than 2 `least` values, for NaN or infinity, and for an alpha that so few
/// permutations cannot reach.
std::vector<ChangePoint> change_points(std::span<const double> values, const ChangePointOptions& options);

}  // namespace aisp::stats
