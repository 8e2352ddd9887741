// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/median_interval.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "aisp/stats/autocorrelation.h"
#include "aisp/stats/block_bootstrap.h"
#include "aisp/stats/ranks.h"

namespace aisp::stats {
namespace {

constexpr double autocorrelated_above = 0.2;    // below it the sign interval loses less than 2 % coverage
constexpr double autocorrelation_level = 0.05;  // chance alone crosses 0.2 often in a dozen rounds

// For rounds that resemble their neighbours: the wider of the block bootstrap, which follows any dependence
// but is too narrow on few rounds, and the sign interval of as many independent rounds as these are worth,
// which is right on few rounds but knows one kind of dependence. Nothing when that leaves too few.
std::optional<Interval> dependent_interval(const std::vector<std::vector<double>>& attempts,
                                           std::span<const double> pooled, const SequentialPlan& plan,
                                           int look, double lag1) {
  const int n = static_cast<int>(pooled.size()), c = plan.critical_count_for(look, n);
  const double reach = (0.5 * n - c) * std::sqrt(sign_variance_inflation(lag1));
  auto interval = interval_from_count(pooled, static_cast<int>(std::floor(0.5 * n - reach)));
  const auto blocks = block_bootstrap_median(attempts, {.alpha = plan.level(look, n), .lag1 = lag1});
  if (interval && blocks) interval->widen(blocks->low, blocks->high);
  return interval;
}

}  // namespace

MedianInterval median_interval(const std::vector<std::vector<double>>& attempts, const SequentialPlan& plan,
                               int look) {
  std::vector<double> pooled;
  for (const auto& attempt : attempts) pooled.insert(pooled.end(), attempt.begin(), attempt.end());
  if (!all_finite(pooled)) return {};
  const Autocorrelation neighbours = autocorrelation(attempts);
  MedianInterval found{.interval = plan.interval(look, pooled), .lag1 = neighbours.lag1};
  if (!found.interval) return found;
  found.dependent = neighbours.lag1 > autocorrelated_above && neighbours.p_value < autocorrelation_level;
  if (!found.dependent) return found;
  const auto wider = dependent_interval(attempts, pooled, plan, look, neighbours.lag1);
  if (!wider) {
    found.interval.reset();
  } else {
    found.interval->widen(wider->low, wider->high);
  }
  return found;
}

}  // namespace aisp::stats
