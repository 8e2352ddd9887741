// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/change_points.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "aisp/core/rng.h"
#include "aisp/stats/energy_split.h"
#include "aisp/stats/ranks.h"

namespace aisp::stats {
namespace {

constexpr double most_autocorrelation = 0.9;

using Ranks = std::vector<std::int32_t>;

// Twice the ranks: whole numbers, ties or not.
Ranks whole_ranks(std::span<const double> values) {
  Ranks ranks;
  for (const double rank : mid_ranks(values)) ranks.push_back(static_cast<std::int32_t>(2 * rank));
  return ranks;
}

// Draws series of the same ranks in an order without change points.
class Shuffled {
 public:
  Shuffled(const Ranks& ranks, const ChangePointOptions& options)
      : rng_(options.seed), lag1_(std::clamp(options.lag1, 0.0, most_autocorrelation)), shuffled_(ranks) {}

  const Ranks& draw() {
    for (std::size_t i = shuffled_.size(); i > 1; --i) std::swap(shuffled_[i - 1], shuffled_[rng_.below(i)]);
    if (!(lag1_ > 0)) return shuffled_;
    double value = centred(rng_.below(shuffled_.size())) / std::sqrt(1 - lag1_ * lag1_);
    alike_.clear();
    for (std::size_t i = 0; i < shuffled_.size(); ++i) alike_.push_back(value = lag1_ * value + centred(i));
    drawn_ = whole_ranks(alike_);
    return drawn_;
  }

 private:
  double centred(std::size_t i) const { return shuffled_[i] - static_cast<double>(shuffled_.size() + 1); }

  Rng rng_;
  double lag1_;
  Ranks shuffled_, drawn_;
  std::vector<double> alike_;
};

// Share of shuffled series whose best split is at least as good; nothing once it is certain to exceed alpha,
// which for most series without a change is after a few draws.
std::optional<double> p_value(const Ranks& ranks, const EnergySplit& split,
                              const ChangePointOptions& options) {
  const double all = options.permutations + 1;
  // Sums of the same distances in another order differ in their last digits.
  const double as_good = split.statistic * (1 - 1e-9);
  Shuffled shuffled(ranks, options);
  int reached = 1;  // the series itself
  for (int i = 0; i < options.permutations && reached <= options.alpha * all; ++i)
    reached += best_split(shuffled.draw(), options.least).statistic >= as_good;
  if (!(reached <= options.alpha * all)) return std::nullopt;
  return reached / all;
}

void divide(std::span<const double> values, std::size_t offset, const ChangePointOptions& options,
            std::vector<ChangePoint>& found) {
  const Ranks ranks = whole_ranks(values);
  const EnergySplit split = best_split(ranks, options.least);
  if (split.at == 0 || !(split.statistic > 0)) return;
  const auto p = p_value(ranks, split, options);
  if (!p) return;
  divide(values.first(split.at), offset, options, found);
  found.push_back({offset + split.at, *p});
  divide(values.subspan(split.at), offset + split.at, options, found);
}

}  // namespace

std::vector<ChangePoint> change_points(std::span<const double> values, const ChangePointOptions& options) {
  std::vector<ChangePoint> found;
  if (!all_finite(values) || options.least == 0 || !(options.alpha > 0 && options.alpha < 1)) return found;
  if (!(1 <= options.alpha * (options.permutations + 1))) return found;
  divide(values, 0, options, found);
  return found;
}

}  // namespace aisp::stats
