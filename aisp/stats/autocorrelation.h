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

/// How many times larger the variance of the number of values below the median is than for independent
/// values, for normal noise of first order: 1 for lag1 <= 0, 1.86 for 0.4, 2.9 for 0.6. A sign interval of n
/// such rounds knows as much as one of n divided by this.
double sign_variance_inflation(double lag1);

}  // namespace aisp::stats
