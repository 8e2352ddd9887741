// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "aisp/stats/attempts.h"
#include "aisp/stats/autocorrelation.h"
#include "aisp/stats/block_bootstrap.h"
#include "aisp/stats/hodges_lehmann.h"
#include "aisp/stats/ranks.h"
#include "aisp/stats/summary.h"

namespace aisp::stats {
namespace {

constexpr double autocorrelated_above = 0.2;    // below it the sign interval loses less than 2 % coverage
constexpr double autocorrelation_level = 0.05;  // chance alone crosses 0.2 often in a dozen rounds
constexpr double attempts_differ_level = 0.01;  // one comparison in a hundred is widened for nothing

void widen(Interval& interval, double low, double high) {
  interval.low = std::min(interval.low, low);
  interval.high = std::max(interval.high, high);
}

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
  if (interval && blocks) widen(*interval, blocks->low, blocks->high);
  return interval;
}

}  // namespace

Comparison compare(const PairedRounds& rounds, const SequentialPlan& plan, int look, double delta) {
  const auto& attempts = rounds.log_ratios_by_attempt;
  std::vector<double> pooled;
  for (const auto& attempt : attempts) pooled.insert(pooled.end(), attempt.begin(), attempt.end());

  Comparison c;
  c.ratio = std::exp(median(pooled));
  c.hodges_lehmann = std::exp(hodges_lehmann(pooled));
  c.low = 0;
  c.high = std::numeric_limits<double>::infinity();
  c.confidence = 1 - plan.alpha();
  c.method = "sign";
  c.rounds = static_cast<int>(pooled.size());
  if (!all_finite(pooled)) return c;

  const Autocorrelation neighbours = autocorrelation(attempts);
  const AttemptEffect between = attempt_effect(attempts, plan.alpha());
  c.autocorrelation = neighbours.lag1;
  c.attempt_spread = std::expm1(between.spread);
  c.attempt_p_value = between.p_value;

  std::optional<Interval> interval = plan.interval(look, pooled);
  if (!interval) return c;
  if (neighbours.lag1 > autocorrelated_above && neighbours.p_value < autocorrelation_level) {
    c.method = "block bootstrap";
    const auto dependent = dependent_interval(attempts, pooled, plan, look, neighbours.lag1);
    if (!dependent) return c;
    widen(*interval, dependent->low, dependent->high);
  }
  if (between.p_value < attempts_differ_level) {
    widen(*interval, between.low, between.high);
    c.method = "attempts differ";
  }
  c.low = std::exp(interval->low);
  c.high = std::exp(interval->high);
  c.decision = decide(c.low, c.high, delta);
  return c;
}

}  // namespace aisp::stats
