// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/energy_split.h"

#include <cmath>
#include <vector>

namespace aisp::stats {
namespace {

// Sum of |x - y| over all pairs within values[0, j), for every j.
std::vector<double> sums_from_start(std::span<const double> values) {
  std::vector<double> within(values.size() + 1);
  for (std::size_t j = 1; j <= values.size(); ++j) {
    double added = 0;
    for (std::size_t i = 0; i + 1 < j; ++i) added += std::abs(values[i] - values[j - 1]);
    within[j] = within[j - 1] + added;
  }
  return within;
}

}  // namespace

// With sides of n and m values, and A, B and C the sums over pairs within the first, the second and both, the
// energy distance times n m / (n + m) is 2 C / (n + m) - 2 A / n - 2 B / m: means over ordered pairs, each
// value also beside itself, so that it is never negative.
EnergySplit best_split(std::span<const double> values, std::size_t least) {
  const std::size_t n = values.size();
  EnergySplit best;
  if (least == 0 || n < 2 * least) return best;
  const std::vector<double> from_start = sums_from_start(values);
  std::vector<double> per(n + 1), both(n + 1);  // 1 / j, and C / (n + m)
  for (std::size_t j = 1; j <= n; ++j) {
    per[j] = 1 / static_cast<double>(j);
    both[j] = from_start[j] * per[j];
  }
  std::vector<double> from_here(n + 1);  // pairs within values[at, j)
  for (std::size_t at = n; at-- > least;) {
    double added = 0;
    for (std::size_t j = at + 2; j <= n; ++j) {
      added += std::abs(values[at] - values[j - 1]);
      from_here[j] += added;
    }
    for (std::size_t end = at + least; end <= n; ++end) {
      const double statistic = 2 * (both[end] - both[at] - from_here[end] * per[end - at]);
      if (statistic > best.statistic) best = {at, end, statistic};
    }
  }
  return best;
}

}  // namespace aisp::stats
