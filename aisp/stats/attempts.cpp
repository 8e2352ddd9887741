// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/attempts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "aisp/stats/distributions.h"
#include "aisp/stats/ranks.h"
#include "aisp/stats/summary.h"

namespace aisp::stats {
namespace {

// Kruskal-Wallis with the correction for ties; chi-squared is on the cautious side for small attempts.
double kruskal_wallis_p_value(const std::vector<std::span<const double>>& groups) {
  std::vector<double> pooled;
  for (const auto& group : groups) pooled.insert(pooled.end(), group.begin(), group.end());
  const std::vector<double> ranks = mid_ranks(pooled);
  const double centre = 0.5 * static_cast<double>(pooled.size() + 1);
  double between = 0, total = 0;
  for (double r : ranks) total += (r - centre) * (r - centre);
  std::size_t next = 0;
  for (const auto& group : groups) {
    double sum = 0;
    for (std::size_t i = 0; i < group.size(); ++i) sum += ranks[next++] - centre;
    between += sum * sum / static_cast<double>(group.size());
  }
  if (!(total > 0)) return 1;
  const double h = static_cast<double>(pooled.size() - 1) * between / total;
  return chi_squared_upper(h, static_cast<int>(groups.size()) - 1);
}

}  // namespace

AttemptEffect attempt_effect(std::span<const std::vector<double>> attempts, double alpha) {
  std::vector<std::span<const double>> groups;
  std::vector<double> medians;
  for (const auto& attempt : attempts) {
    if (attempt.empty() || !all_finite(attempt)) continue;
    groups.emplace_back(attempt);
    medians.push_back(median(attempt));
  }
  AttemptEffect effect;
  if (medians.empty()) return effect;
  effect.low = minimum(medians);
  effect.high = maximum(medians);
  effect.spread = effect.high - effect.low;
  if (medians.size() < 2) return effect;
  effect.p_value = kruskal_wallis_p_value(groups);
  const double centre = mean(medians);
  const double count = static_cast<double>(medians.size());
  double squares = 0;
  for (double m : medians) squares += (m - centre) * (m - centre);
  const double reach = student_critical(alpha, static_cast<int>(medians.size()) - 1) *
                       std::sqrt(squares / (count - 1) / count);
  effect.low = std::min(effect.low, centre - reach);
  effect.high = std::max(effect.high, centre + reach);
  return effect;
}

}  // namespace aisp::stats
