// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/holm.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

#include "aisp/stats/sign_interval.h"

namespace aisp::stats {

std::vector<double> holm_adjusted(std::span<const double> p_values) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < p_values.size(); ++i) {
    if (!std::isnan(p_values[i])) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return p_values[a] < p_values[b]; });
  std::vector<double> adjusted(p_values.size(), std::numeric_limits<double>::quiet_NaN());
  double largest = 0;
  for (std::size_t step = 0; step < order.size(); ++step) {
    const double scaled = static_cast<double>(p_values.size() - step) * p_values[order[step]];
    largest = std::max(largest, std::min(1.0, scaled));
    adjusted[order[step]] = largest;
  }
  return adjusted;
}

double sign_test_p_value(std::span<const double> values) {
  int below = 0, above = 0;
  for (double v : values) {
    if (std::isnan(v)) return v;
    below += v < 0;
    above += v > 0;
  }
  if (below + above == 0) return 1;
  return std::min(1.0, 2 * fair_binomial_tail(below + above, std::min(below, above)));
}

}  // namespace aisp::stats
