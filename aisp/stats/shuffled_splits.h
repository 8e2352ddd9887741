// SPDX-License-Identifier: Apache-2.0
/// \file
/// How good the best split of a series is where the order of its values means nothing: what a change point is
/// held against.
///
///   ShuffledSplits shuffled(ranks, options);
///   for (int i = 0; i < options.permutations; ++i) as_good += shuffled.statistic(i) >= split.statistic;
///
/// The copies are drawn as they are asked for. Without ties they depend on the number of values alone, so
/// that all series of that length share them: a thread keeps those it drew last.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "aisp/stats/change_points.h"

namespace aisp::stats {

class ShuffledSplits {
 public:
  /// Ranks are whole numbers: twice those of mid_ranks().
  ShuffledSplits(std::span<const std::int32_t> ranks, const ChangePointOptions& options);

  /// Of the best split of the i-th copy.
  double statistic(int i);

 private:
  class Copies;
  std::shared_ptr<Copies> copies_;
};

/// The autocorrelation that copies are given for this one: rounded up to a twentieth, so that few kinds of
/// copies are needed, and at most 0.9.
double shared_lag1(double lag1);

}  // namespace aisp::stats
