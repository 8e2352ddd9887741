// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/summary.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace aisp::stats {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

double quantile_of_sorted(std::span<const double> x, double p) {
  if (x.empty() || !(p >= 0 && p <= 1)) return unknown;
  const double position = static_cast<double>(x.size() - 1) * p;
  const auto below = static_cast<std::size_t>(position);
  const double part = position - static_cast<double>(below);
  // No arithmetic where none is needed: infinity minus infinity would make an ordinary order statistic NaN.
  if (part == 0 || x[below] == x[below + 1]) return x[below];
  return x[below] + part * (x[below + 1] - x[below]);
}

// Deviations of a sample that holds infinities may be NaN; then the spread is unknown as well.
double mad_about(std::span<const double> values, double centre) {
  std::vector<double> deviations;
  deviations.reserve(values.size());
  for (double v : values) deviations.push_back(std::abs(v - centre));
  return median(deviations);
}

}  // namespace

std::vector<double> sorted(std::span<const double> values) {
  for (double v : values) {
    if (std::isnan(v)) return {};
  }
  std::vector<double> x(values.begin(), values.end());
  std::sort(x.begin(), x.end());
  return x;
}

double quantile(std::span<const double> values, double p) { return quantile_of_sorted(sorted(values), p); }

double median(std::span<const double> values) { return quantile(values, 0.5); }

double minimum(std::span<const double> values) { return quantile(values, 0); }

double maximum(std::span<const double> values) { return quantile(values, 1); }

double mean(std::span<const double> values) {
  if (values.empty()) return unknown;
  // Compensated: the mean of a million times must not depend on their order in the last digits shown.
  double sum = 0, lost = 0;
  for (double v : values) {
    const double next = sum + v;
    lost += std::abs(sum) >= std::abs(v) ? (sum - next) + v : (v - next) + sum;
    sum = next;
  }
  if (!std::isfinite(sum)) return sum / static_cast<double>(values.size());
  return (sum + lost) / static_cast<double>(values.size());
}

double mad(std::span<const double> values) { return mad_about(values, median(values)); }

Summary summarise(std::span<const double> values) {
  const std::vector<double> x = sorted(values);
  Summary s;
  s.count = values.size();
  s.min = quantile_of_sorted(x, 0);
  s.p10 = quantile_of_sorted(x, 0.10);
  s.p50 = quantile_of_sorted(x, 0.50);
  s.mean = mean(values);
  s.p90 = quantile_of_sorted(x, 0.90);
  s.p99 = quantile_of_sorted(x, 0.99);
  s.max = quantile_of_sorted(x, 1);
  s.mad = mad_about(values, s.p50);
  return s;
}

}  // namespace aisp::stats
