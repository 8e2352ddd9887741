// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/hodges_lehmann.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "aisp/stats/ranks.h"
#include "aisp/stats/summary.h"

namespace aisp::stats {
namespace {

// Pairs i <= j with x_i + x_j <= sum, by two pointers over the ascending values.
std::size_t pairs_up_to(const std::vector<double>& x, double sum) {
  std::size_t count = 0, end = x.size();
  for (std::size_t i = 0; i < x.size(); ++i) {
    while (end > i && x[i] + x[end - 1] > sum) --end;
    if (end <= i) break;
    count += end - i;
  }
  return count;
}

// The k-th smallest sum (k from 1), by halving the range until no double lies between the ends.
double kth_sum(const std::vector<double>& x, std::size_t k) {
  double low = std::nextafter(2 * x.front(), -std::numeric_limits<double>::infinity()), high = 2 * x.back();
  for (;;) {
    const double middle = low + 0.5 * (high - low);
    if (!(middle > low && middle < high)) return high;
    (pairs_up_to(x, middle) < k ? low : high) = middle;
  }
}

}  // namespace

double hodges_lehmann(std::span<const double> values) {
  const std::vector<double> x = sorted(values);
  if (x.empty() || !all_finite(x)) return std::numeric_limits<double>::quiet_NaN();
  const std::size_t pairs = x.size() * (x.size() + 1) / 2;
  const double upper = kth_sum(x, pairs / 2 + 1);
  const double lower = pairs % 2 == 0 ? kth_sum(x, pairs / 2) : upper;
  return 0.25 * (lower + upper);
}

}  // namespace aisp::stats
