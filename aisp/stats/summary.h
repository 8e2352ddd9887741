// SPDX-License-Identifier: Apache-2.0
/// \file
/// Medians, quantiles and spread of a sample: what a table prints and every other file here starts from.
///
///   std::vector<double> times = ...;
///   const Summary s = summarise(times);
///   row.print(s.p50, s.p10, s.p90);
///
/// Every function answers NaN for an empty sample and for one that holds a NaN: an unknown value makes the
/// answer unknown, it is never dropped. Infinities are ordered like numbers. Not an interval of anything:
/// see sign_interval.h.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace aisp::stats {

double median(std::span<const double> values);
double mean(std::span<const double> values);
double minimum(std::span<const double> values);
double maximum(std::span<const double> values);

/// Linear interpolation between order statistics at (n - 1) p ("type 7", the default of R and NumPy).
/// p outside [0, 1] answers NaN.
double quantile(std::span<const double> values, double p);

/// Median absolute deviation from the median, unscaled: multiply by 1.4826 to compare with a normal sigma.
double mad(std::span<const double> values);

/// Ascending copy, or an empty vector when any value is NaN (NaN has no place in an order).
std::vector<double> sorted(std::span<const double> values);

struct Summary {
  std::size_t count = 0;
  double min, p10, p50, mean, p90, p99, max;  ///< NaN when unknown
  double mad;                                 ///< unscaled
};

Summary summarise(std::span<const double> values);

}  // namespace aisp::stats
