// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/sign_interval.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "aisp/stats/summary.h"

namespace aisp::stats {
namespace {

// C(n, c) / 2^n without overflow or underflow on the way: halvings are taken as soon as the product allows.
double fair_binomial_term(int n, int c) {
  double term = 1;
  int halvings = n;
  for (int i = 1; i <= c; ++i) {
    term *= static_cast<double>(n - c + i) / i;
    while (term > 1 && halvings > 0) {
      term *= 0.5;
      --halvings;
    }
  }
  return std::ldexp(term, -halvings);
}

}  // namespace

double fair_binomial_tail(int n, int c) {
  if (c < 0) return 0;
  if (c >= n) return 1;
  if (2 * c >= n) return 1 - fair_binomial_tail(n, n - c - 1);
  double term = fair_binomial_term(n, c);
  double sum = 0;
  for (int k = c; k >= 0 && term > 0; --k) {
    sum += term;
    term *= static_cast<double>(k) / (n - k + 1);
  }
  return sum;
}

int sign_critical_count(int n, double alpha) {
  int fits = -1, too_many = (n + 1) / 2;  // beyond that the two ends of the interval would cross
  while (fits + 1 < too_many) {
    const int middle = fits + (too_many - fits) / 2;
    (2 * fair_binomial_tail(n, middle) <= alpha ? fits : too_many) = middle;
  }
  return fits;
}

std::optional<Interval> interval_from_count(std::span<const double> values, int c) {
  const std::vector<double> x = sorted(values);
  const int n = static_cast<int>(x.size());
  if (c < 0 || c + 1 > n - c) return std::nullopt;
  return Interval{x[static_cast<std::size_t>(c)], x[static_cast<std::size_t>(n - c - 1)],
                  std::max(0.0, 1 - 2 * fair_binomial_tail(n, c))};
}

std::optional<Interval> sign_interval(std::span<const double> values, double alpha) {
  return interval_from_count(values, sign_critical_count(static_cast<int>(values.size()), alpha));
}

}  // namespace aisp::stats
