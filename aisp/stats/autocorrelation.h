// SPDX-License-Identifier: Apache-2.0
/// \file
/// Do neighbouring rounds resemble each other? Then there is less information than the count suggests.
///
///   const Autocorrelation a = autocorrelation(log_ratios_by_attempt);
///   if (a.lag1 > 0.2 && a.p_value < 0.05) ...   // compare.h turns to the block bootstrap
///
/// Computed on ranks within each attempt, so that one outlier can neither make nor hide it, and pooled over
/// attempts; a difference between attempts is not autocorrelation (attempts.h).
#pragma once

#include <span>
#include <vector>

namespace aisp::stats {

struct Autocorrelation {
  double lag1 = 0;     ///< corrected for the bias of short attempts; 0 when there is too little to say
  double p_value = 1;  ///< one-sided: how often independent rounds would show this much or more
  int pairs = 0;       ///< neighbouring pairs used
};

Autocorrelation autocorrelation(std::span<const std::vector<double>> attempts);

}  // namespace aisp::stats
