// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/autocorrelation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "aisp/stats/distributions.h"
#include "aisp/stats/ranks.h"

namespace aisp::stats {

Autocorrelation autocorrelation(std::span<const std::vector<double>> attempts) {
  double products = 0, squares = 0;
  int pairs = 0;
  for (const auto& attempt : attempts) {
    const std::size_t n = attempt.size();
    if (n < 3 || !all_finite(attempt)) continue;
    // Ranks scaled to one size, so that an attempt weighs as much as it has rounds.
    std::vector<double> u = mid_ranks(attempt);
    for (double& v : u) v = v / static_cast<double>(n + 1) - 0.5;
    double own_products = 0, own_squares = 0;
    for (std::size_t i = 0; i < n; ++i) own_squares += u[i] * u[i];
    for (std::size_t i = 1; i < n; ++i) own_products += u[i] * u[i - 1];
    // In a random order the expected product is exactly -squares / n, because ranks have a fixed sum: with
    // four rounds an attempt that bias alone would be -0.25.
    products += own_products + own_squares / static_cast<double>(n);
    squares += own_squares * static_cast<double>(n - 1) / static_cast<double>(n);
    pairs += static_cast<int>(n) - 1;
  }
  if (pairs == 0 || !(squares > 0)) return {};
  const double lag1 = products / squares;
  return {lag1, 1 - normal_cdf(lag1 * std::sqrt(static_cast<double>(pairs))), pairs};
}

// Signs of two normal values with correlation r have correlation (2 / pi) asin(r).
double sign_variance_inflation(double lag1) {
  const double rho = std::clamp(lag1, 0.0, 0.95);
  double inflation = 1;
  for (double r = rho; r > 1e-6; r *= rho) inflation += 2 * (2 / std::numbers::pi) * std::asin(r);
  return inflation;
}

}  // namespace aisp::stats
