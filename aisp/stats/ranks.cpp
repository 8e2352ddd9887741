// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/ranks.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "aisp/core/check.h"

namespace aisp::stats {

std::vector<double> mid_ranks(std::span<const double> values) {
  std::vector<std::pair<double, std::size_t>> order;  // with their values, which are compared where they lie
  order.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) order.emplace_back(values[i], i);
  std::ranges::sort(order, {}, &std::pair<double, std::size_t>::first);
  std::vector<double> ranks(values.size());
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i + 1;
    while (end < order.size() && order[end].first == order[i].first) ++end;
    const double shared = 0.5 * static_cast<double>(i + 1 + end);
    for (; i < end; ++i) ranks[order[i].second] = shared;
  }
  return ranks;
}

std::vector<std::int32_t> whole_ranks(std::span<const double> values) {
  std::vector<std::int32_t> ranks;
  for (const double rank : mid_ranks(values)) ranks.push_back(static_cast<std::int32_t>(2 * rank));
  return ranks;
}

double correlation(std::span<const double> x, std::span<const double> y) {
  AISP_CHECK(x.size() == y.size(), "correlated series have the same length");
  const double n = static_cast<double>(x.size());
  const double mean_x = std::accumulate(x.begin(), x.end(), 0.0) / n;
  const double mean_y = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

}  // namespace aisp::stats
