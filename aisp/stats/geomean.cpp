// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/geomean.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "aisp/core/rng.h"
#include "aisp/stats/distributions.h"
#include "aisp/stats/ranks.h"
#include "aisp/stats/summary.h"

namespace aisp::stats {
namespace {

Result<std::vector<double>> logs_of(std::span<const double> values) {
  if (values.empty()) {
    return Error{ErrorCode::bad_input, "a geometric mean of nothing", "give it at least one ratio"};
  }
  std::vector<double> logs;
  for (double v : values) {
    if (!(v > 0) || !std::isfinite(v)) {
      return Error{ErrorCode::bad_input,
                   "a geometric mean needs positive finite ratios; one is " + std::to_string(v),
                   "leave out rows without a valid ratio, and say how many were left out"};
    }
    logs.push_back(std::log(v));
  }
  return logs;
}

double resampled_mean(const std::vector<double>& values, Rng& rng) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += values[rng.below(values.size())];
  return sum / static_cast<double>(values.size());
}

// Attempts first, then rounds within each drawn attempt: both levels of chance of a new measurement.
double resampled_median(const PairedRounds& cell, Rng& rng) {
  std::vector<const std::vector<double>*> attempts;
  for (const auto& attempt : cell.log_ratios_by_attempt) {
    if (!attempt.empty()) attempts.push_back(&attempt);
  }
  std::vector<double> drawn;
  for (std::size_t a = 0; a < attempts.size(); ++a) {
    const auto& attempt = *attempts[rng.below(attempts.size())];
    for (std::size_t i = 0; i < attempt.size(); ++i) drawn.push_back(attempt[rng.below(attempt.size())]);
  }
  return median(drawn);
}

// Efron's correction for bias and skewness: the two levels to read the bootstrap distribution at. The
// jackknife of a mean leaves out one value at a time, so the acceleration is a skewness.
std::pair<double, double> bca_levels(const std::vector<double>& logs, double estimate,
                                     const std::vector<double>& replicates, double alpha) {
  double squares = 0, cubes = 0;
  for (double v : logs) {
    squares += (v - estimate) * (v - estimate);
    cubes += (v - estimate) * (v - estimate) * (v - estimate);
  }
  const double acceleration = squares > 0 ? cubes / (6 * std::pow(squares, 1.5)) : 0;
  const double n = static_cast<double>(replicates.size());
  const auto below = std::lower_bound(replicates.begin(), replicates.end(), estimate) - replicates.begin();
  const double bias = normal_quantile(std::clamp(static_cast<double>(below) / n, 1 / n, 1 - 1 / n));
  const auto level = [&](double p) {
    const double z = bias + normal_quantile(p);
    return normal_cdf(bias + z / std::max(1e-3, 1 - acceleration * z));
  };
  return {level(alpha / 2), level(1 - alpha / 2)};
}

Status check_alpha(double alpha) {
  if (alpha > 0 && alpha < 1) return Ok{};
  return Error{ErrorCode::bad_input, "alpha must lie between 0 and 1", "0.05 asks for 95 % confidence"};
}

}  // namespace

Result<double> geometric_mean(std::span<const double> values) {
  const auto logs = logs_of(values);
  if (!logs) return logs.error();
  return std::exp(mean(*logs));
}

Result<GeometricMean> geometric_mean_interval(std::span<const double> values, double alpha,
                                              std::uint64_t seed) {
  const auto logs = logs_of(values);
  if (!logs) return logs.error();
  if (const auto ok = check_alpha(alpha); !ok) return ok.error();
  const double estimate = mean(*logs);
  GeometricMean result{std::exp(estimate), std::nullopt};
  const auto [least, most] = std::minmax_element(logs->begin(), logs->end());
  if (logs->size() < 2) return result;
  if (*least == *most) {  // nothing varies: every resample is the sample
    result.interval = Interval{result.value, result.value, 1 - alpha};
    return result;
  }
  Rng rng(seed);
  std::vector<double> replicates;
  for (int r = 0; r < 2000; ++r) replicates.push_back(resampled_mean(*logs, rng));
  std::sort(replicates.begin(), replicates.end());
  const auto [low, high] = bca_levels(*logs, estimate, replicates, alpha);
  result.interval =
      Interval{std::exp(quantile(replicates, low)), std::exp(quantile(replicates, high)), 1 - alpha};
  return result;
}

Result<GeometricMean> suite_geometric_mean(std::span<const PairedRounds> cells, double alpha,
                                           std::uint64_t seed) {
  if (const auto ok = check_alpha(alpha); !ok) return ok.error();
  std::vector<double> ratios;
  for (const auto& cell : cells) {
    std::vector<double> pooled;
    for (const auto& attempt : cell.log_ratios_by_attempt) {
      pooled.insert(pooled.end(), attempt.begin(), attempt.end());
    }
    ratios.push_back(all_finite(pooled) ? std::exp(median(pooled)) : std::nan(""));
  }
  const auto estimate = geometric_mean(ratios);
  if (!estimate) return estimate.error();
  Rng rng(seed);
  std::vector<double> replicates;
  for (int r = 0; r < 1000; ++r) {
    std::vector<double> medians;
    for (const auto& cell : cells) medians.push_back(resampled_median(cell, rng));
    replicates.push_back(mean(medians));
  }
  return GeometricMean{*estimate, Interval{std::exp(quantile(replicates, alpha / 2)),
                                           std::exp(quantile(replicates, 1 - alpha / 2)), 1 - alpha}};
}

}  // namespace aisp::stats
