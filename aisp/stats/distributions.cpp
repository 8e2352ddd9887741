// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/distributions.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace aisp::stats {

double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

double chi_squared_upper(double x, int df) {
  if (!(x > 0)) return 1;
  const double half = 0.5 * x;
  if (df % 2 == 0) {
    double term = std::exp(-half), sum = 0;
    for (int k = 0; k < df / 2; ++k) {
      sum += term;
      term *= half / (k + 1);
    }
    return std::fmin(sum, 1);
  }
  double sum = std::erfc(std::sqrt(half));
  double term = std::exp(-half) * 2 * std::sqrt(half / std::numbers::pi);
  for (int k = 1; k <= (df - 1) / 2; ++k) {
    sum += term;
    term *= half / (k + 0.5);
  }
  return std::fmin(sum, 1);
}

// Abramowitz and Stegun, 26.7.3 and 26.7.4, with theta = atan(t / sqrt(df)).
double student_two_sided(double t, int df) {
  const double theta = std::atan(std::abs(t) / std::sqrt(static_cast<double>(df)));
  const double sine = std::sin(theta), cosine = std::cos(theta);
  double inside = 0;
  if (df % 2 == 0) {
    double term = sine;
    for (int k = 1; k < df; k += 2) {
      inside += term;
      term *= cosine * cosine * k / (k + 1);
    }
  } else {
    double term = sine * cosine;
    for (int k = 2; k < df; k += 2) {
      inside += term;
      term *= cosine * cosine * k / (k + 1);
    }
    inside = 2 / std::numbers::pi * (theta + inside);
  }
  return std::fmax(0, 1 - inside);
}

double student_critical(double alpha, int df) {
  double low = 0, high = 1;
  while (student_two_sided(high, df) > alpha && high < 1e9) high *= 2;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (student_two_sided(middle, df) > alpha ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace aisp::stats
