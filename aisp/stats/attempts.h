// SPDX-License-Identifier: Apache-2.0
/// \file
/// Do worker processes agree? Layout, clocks and page placement differ between processes and not within one,
/// so more rounds do not average them out.
///
///   const AttemptEffect e = attempt_effect(log_ratios_by_attempt, 0.05);
///   if (e.p_value < 0.01) widen(e.low, e.high);
///
/// Kruskal-Wallis on ranks. Not a reason to discard an attempt: the spread is part of the result.
#pragma once

#include <span>
#include <vector>

namespace aisp::stats {

struct AttemptEffect {
  double p_value = 1;  ///< 1 when fewer than two attempts have values
  double spread = 0;   ///< largest attempt median minus the smallest
  double low = 0;      ///< what an interval has to cover when attempts differ: the range of the attempt
  double high = 0;     ///< medians and Student's interval of their mean, whichever reaches further
};

AttemptEffect attempt_effect(std::span<const std::vector<double>> attempts, double alpha);

}  // namespace aisp::stats
