// SPDX-License-Identifier: Apache-2.0
/// \file
/// The interval of a median over the rounds of several attempts, at one look of a plan.
///
///   const MedianInterval times = median_interval(times_by_attempt, plan, look);
///   if (times.interval) print(times.interval->low, times.interval->high);
///
/// The exact sequential sign interval, made wider where neighbouring rounds are alike. Times of one variant
/// need that more often than ratios do: what slows the machine for a while slows many rounds, and only a
/// ratio of two times from the same round is rid of it. A difference between attempts is not looked at here.
#pragma once

#include <optional>
#include <vector>

#include "aisp/stats/sequential.h"

namespace aisp::stats {

struct MedianInterval {
  std::optional<Interval> interval;  ///< nothing when there are too few rounds, or a value is not finite
  double lag1 = 0;                   ///< autocorrelation within attempts
  bool dependent = false;            ///< there was enough of it to matter
};

/// One vector of values for each worker process, in order of time.
MedianInterval median_interval(const std::vector<std::vector<double>>& attempts, const SequentialPlan& plan,
                               int look);

}  // namespace aisp::stats
