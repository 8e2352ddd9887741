// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/sequential.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "aisp/core/check.h"
#include "aisp/stats/fair_walk.h"

namespace aisp::stats {
namespace {

constexpr int most_rounds = 20000;  // the walk costs n sqrt(n): a third of a second here

std::vector<double> spending(const std::vector<int>& looks, const std::vector<int>& counts) {
  FairWalk walk;
  std::vector<double> spent;
  double total = 0;
  for (std::size_t k = 0; k < looks.size(); ++k) {
    walk.advance(looks[k]);
    total += walk.absorb(counts[k]);
    spent.push_back(total);
  }
  return spent;
}

// The largest c, if any, for which the walk's loss stays within the allowance.
int largest_count(const FairWalk& walk, double allowance) {
  int c = -1;
  while (2 * (c + 2) <= walk.tosses() + 1 && walk.outside(c + 1) <= allowance) ++c;
  return c;
}

// How much wider than a single look at level alpha: the spread in order statistics of one over the other.
double width_ratio(int n, int count, int single_look_count) {
  if (single_look_count < 0) return 0;  // no interval could exist: nothing to gain here
  if (count < 0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(n - 1 - 2 * count) / std::max(1, n - 1 - 2 * single_look_count);
}

// Pocock's idea, made exact for counts: the same single-look level everywhere, the highest that fits; then
// what discreteness left over goes, one order statistic at a time, to the look that is widest relative to a
// single-look interval. This minimises the largest ratio of widths over the looks, which is what a caller
// who may stop at any of them pays.
std::vector<int> plan_counts(const std::vector<int>& looks, double alpha) {
  const auto counts_at = [&](double level) {
    std::vector<int> counts;
    for (int n : looks) counts.push_back(sign_critical_count(n, level));
    return counts;
  };
  double fits = alpha / static_cast<double>(looks.size());  // the sum over looks bounds the union
  double too_much = alpha;
  std::vector<int> counts = counts_at(fits);
  const std::vector<int> single_look = counts_at(alpha);
  if (spending(looks, single_look).back() <= alpha) return single_look;
  while (counts_at(too_much) != counts && too_much - fits > 1e-3 * alpha) {
    const double level = 0.5 * (fits + too_much);
    std::vector<int> candidate = counts_at(level);
    if (candidate == counts || spending(looks, candidate).back() <= alpha) {
      fits = level;
      counts = std::move(candidate);
    } else {
      too_much = level;
    }
  }
  std::vector<bool> full(looks.size(), false);
  for (;;) {
    std::size_t widest = looks.size();
    double worst = 0;
    for (std::size_t k = 0; k < looks.size(); ++k) {
      const double ratio = width_ratio(looks[k], counts[k], single_look[k]);
      if (!full[k] && counts[k] < single_look[k] && ratio > worst) worst = ratio, widest = k;
    }
    if (widest == looks.size()) return counts;
    ++counts[widest];
    if (spending(looks, counts).back() > alpha) {
      --counts[widest];
      full[widest] = true;
    }
  }
}

}  // namespace

SequentialPlan::SequentialPlan(std::vector<int> looks, double alpha)
    : looks_(std::move(looks)), alpha_(alpha) {
  AISP_CHECK(!looks_.empty(), "a plan needs at least one look");
  AISP_CHECK(looks_.front() >= 1 && looks_.back() <= most_rounds, "looks lie in 1..20000 rounds");
  for (std::size_t k = 1; k < looks_.size(); ++k)
    AISP_CHECK(looks_[k] > looks_[k - 1], "looks rise strictly");
  AISP_CHECK(alpha > 0 && alpha < 1, "alpha lies between 0 and 1");
  // Most plans are made again and again, for one cell after the other.
  thread_local std::optional<SequentialPlan> last;
  if (last && last->looks_ == looks_ && last->alpha_ == alpha_) {
    counts_ = last->counts_;
    spent_ = last->spent_;
    return;
  }
  counts_ = plan_counts(looks_, alpha_);
  spent_ = spending(looks_, counts_);
  last = *this;
}

int SequentialPlan::critical_count(int look) const {
  AISP_CHECK(look >= 0 && look < look_count(), "no such look");
  return counts_[static_cast<std::size_t>(look)];
}

double SequentialPlan::alpha_spent(int look) const {
  AISP_CHECK(look >= 0 && look < look_count(), "no such look");
  return spent_[static_cast<std::size_t>(look)];
}

int SequentialPlan::critical_count_for(int look, int n) const {
  const int planned = critical_count(look);
  if (n == looks_[static_cast<std::size_t>(look)]) return planned;
  if (n <= 0) return -1;
  const auto reached = std::lower_bound(looks_.begin(), looks_.end(), std::min(n, most_rounds));
  const auto k = std::min(static_cast<std::size_t>(look), static_cast<std::size_t>(reached - looks_.begin()));
  FairWalk walk;
  double spent = 0;
  for (std::size_t j = 0; j < k; ++j) {
    walk.advance(looks_[j]);
    spent += walk.absorb(counts_[j]);
  }
  walk.advance(std::min(n, most_rounds));
  // The second bound holds a single look to its planned level even when earlier looks came at other counts
  // than planned, so that only the correlation between looks can differ from the plan; rounding down to
  // whole counts pays for that (a test searches histories for one that overspends).
  const double planned_level = 2 * fair_binomial_tail(looks_[k], counts_[k]);
  const int c = std::min(largest_count(walk, spent_[k] - spent), sign_critical_count(n, planned_level));
  // So few values that an earlier look was due only now: its budget may have been used once already.
  const bool behind = static_cast<int>(k) < look;
  return behind ? std::max(-1, c - 1) : c;
}

double SequentialPlan::level(int look, int n) const {
  return 2 * fair_binomial_tail(n, critical_count_for(look, n));
}

std::optional<Interval> SequentialPlan::interval(int look, std::span<const double> values) const {
  auto found = interval_from_count(values, critical_count_for(look, static_cast<int>(values.size())));
  if (found) found->confidence = 1 - alpha_;
  return found;
}

}  // namespace aisp::stats
