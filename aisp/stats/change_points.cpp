// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/change_points.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "aisp/stats/energy_split.h"
#include "aisp/stats/ranks.h"
#include "aisp/stats/shuffled_splits.h"

namespace aisp::stats {
namespace {

// Share of shuffled series whose best split is at least as good; nothing once it is certain to exceed alpha,
// which for most series without a change is after a few draws.
std::optional<double> p_value(std::span<const std::int32_t> ranks, const EnergySplit& split, double alpha,
                              const ChangePointOptions& options) {
  const double all = options.permutations + 1;
  // Sums of the same distances in another order differ in their last digits.
  const double as_good = split.statistic * (1 - 1e-9);
  ShuffledSplits shuffled(ranks, options);
  int reached = 1;  // the series itself
  for (int i = 0; i < options.permutations && reached <= alpha * all; ++i)
    reached += shuffled.statistic(i) >= as_good;
  if (!(reached <= alpha * all)) return std::nullopt;
  return reached / all;
}

void divide(std::span<const double> values, std::size_t offset, double alpha,
            const ChangePointOptions& options, std::vector<ChangePoint>& found) {
  const std::vector<std::int32_t> ranks = whole_ranks(values);
  const EnergySplit split = best_split(ranks, options.least);
  if (split.at == 0 || !(split.statistic > 0)) return;
  const auto p = p_value(ranks, split, alpha, options);
  if (!p) return;
  const double within = std::max(alpha, options.alpha_within);
  divide(values.first(split.at), offset, within, options, found);
  found.push_back({offset + split.at, *p});
  divide(values.subspan(split.at), offset + split.at, within, options, found);
}

}  // namespace

std::vector<ChangePoint> change_points(std::span<const double> values, const ChangePointOptions& options) {
  std::vector<ChangePoint> found;
  if (!all_finite(values) || options.least == 0 || !(options.alpha > 0 && options.alpha < 1)) return found;
  if (!(1 <= options.alpha * (options.permutations + 1))) return found;
  divide(values, 0, options.alpha, options, found);
  return found;
}

}  // namespace aisp::stats
