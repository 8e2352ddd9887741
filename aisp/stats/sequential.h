// SPDX-License-Identifier: Apache-2.0
/// \file
/// Looking at an interval several times without cheating: looks fixed in advance, error shared among them.
///
///   const SequentialPlan plan({12, 24, 48, 96, 192}, 0.05);
///   for (int look = 0; look < plan.look_count(); ++look) {
///     sample_until(plan.looks()[look]);
///     if (auto i = plan.interval(look, log_ratios); i && narrow_enough(*i)) break;
///   }
///
/// The probability that the interval of any look misses the true median is at most alpha, so the reported
/// one is right with 1 - alpha whatever the rule for stopping among the looks. The counts are exact for
/// independent values of any distribution. Looks are numbered from 0. Not for autocorrelated rounds:
/// median_interval.h widens those.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "aisp/stats/sign_interval.h"

namespace aisp::stats {

class SequentialPlan {
 public:
  /// looks: strictly rising counts of rounds in 1..20000, at least one; alpha in (0, 1). Anything else is a
  /// broken invariant. About a millisecond up to 1,000 rounds.
  SequentialPlan(std::vector<int> looks, double alpha);

  const std::vector<int>& looks() const { return looks_; }
  int look_count() const { return static_cast<int>(looks_.size()); }
  double alpha() const { return alpha_; }

  /// c of the interval [x_(c+1), x_(n-c)] at this look, or -1 when no interval is possible yet.
  int critical_count(int look) const;

  /// Exact probability that the interval has missed the true median at this look or any before it.
  double alpha_spent(int look) const;

  /// The critical count when n values are there instead of the planned number (rounds discarded by state,
  /// time run out between two looks): never more likely to miss than the planned look. Takes the earlier
  /// looks as planned.
  int critical_count_for(int look, int n) const;

  /// Level of a single look at this count, 2 P(S <= c): what another kind of interval must use to spend no
  /// more than the sign interval would. 0 when no interval is possible.
  double level(int look, int n) const;

  /// Nothing when there are too few values yet or one is NaN. confidence is 1 - alpha, over all looks.
  std::optional<Interval> interval(int look, std::span<const double> values) const;

 private:
  std::vector<int> looks_;
  std::vector<int> counts_;
  std::vector<double> spent_;
  double alpha_ = 0;
};

}  // namespace aisp::stats
