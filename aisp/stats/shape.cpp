// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/shape.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include "aisp/stats/dip.h"
#include "aisp/stats/distributions.h"
#include "aisp/stats/ranks.h"
#include "aisp/stats/summary.h"

namespace aisp::stats {
namespace {

// The dip test measures against a flat distribution, the worst case; normal noise is called in 1 of 200
// samples at 5 %, and that level finds minor modes which 1 % would miss.
constexpr double bimodal_below = 0.05;
constexpr double drifting_below = 0.01;

// A coarse clock puts many values on one point, and every such point looks like a mode of its own. Ties are
// spread evenly over one clock step: the smallest gap between values, but at most 0.5 % of the median, so
// that two exact, truly separate values stay two modes.
void spread_ties(std::vector<double>& ascending) {
  double step = 0.005 * std::abs(ascending[ascending.size() / 2]);
  for (std::size_t i = 1; i < ascending.size(); ++i) {
    const double gap = ascending[i] - ascending[i - 1];
    if (gap > 0) step = std::min(step, gap);
  }
  for (std::size_t i = 0; i < ascending.size();) {
    std::size_t end = i + 1;
    while (end < ascending.size() && ascending[end] == ascending[i]) ++end;
    const double count = static_cast<double>(end - i), centre = ascending[i];
    for (std::size_t k = i; k < end; ++k) {
      ascending[k] = centre + step * ((static_cast<double>(k - i) + 0.5) / count - 0.5);
    }
    i = end;
  }
}

// The split in two that leaves the least variance within the parts.
void split_in_two(const std::vector<double>& x, Bimodality& result) {
  const double n = static_cast<double>(x.size());
  const double total = std::accumulate(x.begin(), x.end(), 0.0);
  double sum = 0, best = -1;
  for (std::size_t i = 1; i < x.size(); ++i) {
    sum += x[i - 1];
    const double left = static_cast<double>(i), right = n - left;
    const double low = sum / left, high = (total - sum) / right;
    const double between = left * right * (high - low) * (high - low);
    if (between > best) {
      best = between;
      result.low = low;
      result.high = high;
      result.high_share = right / n;
    }
  }
}

}  // namespace

Bimodality bimodality(std::span<const double> values) {
  Bimodality result;
  if (values.size() < 10 || !all_finite(values)) return result;
  std::vector<double> x = sorted(values);
  split_in_two(x, result);
  if (x.front() == x.back()) return result;
  spread_ties(x);
  result.dip = dip(x);
  result.p_value = dip_p_value(result.dip, static_cast<int>(x.size()));
  result.bimodal = result.p_value < bimodal_below;
  return result;
}

Drift drift(std::span<const double> values) {
  Drift result;
  const std::size_t n = values.size();
  if (n < 6 || !all_finite(values)) return result;
  std::vector<double> position(n);
  std::iota(position.begin(), position.end(), 1.0);
  const double r = correlation(mid_ranks(values), position);
  const int df = static_cast<int>(n) - 2;
  const double rest = 1 - r * r;
  const double t = rest > 0 ? r * std::sqrt(df / rest) : std::numeric_limits<double>::infinity();
  result.correlation = r;
  result.p_value = student_two_sided(t, df);
  result.drifting = result.p_value < drifting_below;
  const std::size_t tenth = std::max<std::size_t>(3, n / 10);
  const double first = median(values.first(tenth)), last = median(values.last(tenth));
  result.change = first != 0 ? last / first - 1 : 0;
  return result;
}

}  // namespace aisp::stats
