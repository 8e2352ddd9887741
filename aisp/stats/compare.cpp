// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/compare.h"

#include <cmath>
#include <limits>

#include "aisp/stats/attempts.h"
#include "aisp/stats/median_interval.h"
#include "aisp/stats/ranks.h"
#include "aisp/stats/summary.h"

namespace aisp::stats {
namespace {

constexpr double attempts_differ_level = 0.01;  // one comparison in a hundred is widened for nothing

}  // namespace

Comparison compare(const PairedRounds& rounds, const SequentialPlan& plan, int look, double delta) {
  const auto& attempts = rounds.log_ratios_by_attempt;
  std::vector<double> pooled;
  for (const auto& attempt : attempts) pooled.insert(pooled.end(), attempt.begin(), attempt.end());

  Comparison c;
  c.ratio = std::exp(median(pooled));
  c.low = 0;
  c.high = std::numeric_limits<double>::infinity();
  c.confidence = 1 - plan.alpha();
  c.method = "sign";
  c.rounds = static_cast<int>(pooled.size());
  if (!all_finite(pooled)) return c;

  const AttemptEffect between = attempt_effect(attempts, plan.alpha());
  c.attempt_spread = std::expm1(between.spread);
  c.attempt_p_value = between.p_value;
  MedianInterval within = median_interval(attempts, plan, look);
  c.autocorrelation = within.lag1;
  if (within.dependent) c.method = "block bootstrap";
  auto& interval = within.interval;
  if (!interval) return c;
  if (between.p_value < attempts_differ_level) {
    interval->widen(between.low, between.high);
    c.method = "attempts differ";
  }
  c.low = std::exp(interval->low);
  c.high = std::exp(interval->high);
  c.decision = decide(c.low, c.high, delta);
  return c;
}

}  // namespace aisp::stats
