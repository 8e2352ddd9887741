// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where a series is most unlike itself: the split whose two sides differ most in distribution, by the energy
/// statistic of E-divisive.
///
///   const EnergySplit s = best_split(values, 5);   // values[0, s.at) against values[s.at, s.end)
///
/// D. S. Matteson and N. A. James, "A nonparametric approach for multiple change point analysis of
/// multivariate data", Journal of the American Statistical Association 109 (2014). The second side may end
/// before the series does, so that a level that was left and taken up again is not averaged away.
/// It always names a split; whether it means anything is change_points.h's question. Whole numbers, because
/// it is asked thousands of times for one series of ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace aisp::stats {

struct EnergySplit {
  std::size_t at = 0;    ///< first value of the second side; 0 when the series is too short to split
  std::size_t end = 0;   ///< one past its last
  double statistic = 0;  ///< n m / (n + m) times the energy distance of the sides
};

/// Every side has at least `least` (1 or more) values. Of more than 128 values the second side ends in one of
/// 64 places. Cost O(n^2), memory O(n).
EnergySplit best_split(std::span<const std::int32_t> values, std::size_t least);

}  // namespace aisp::stats
