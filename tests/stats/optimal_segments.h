// SPDX-License-Identifier: Apache-2.0
/// \file
/// Another search for change points, to hold ours against: of all ways to cut a series the best one, where
/// ours cuts one place at a time and asks each time whether chance would have done it.
///
///   const OptimalSegments all(values);
///   all.changes(2);       // each change pays 2 log n: for its place and its height
///
/// The best is the one with the least n log(sum of absolute distances from the levels' medians), Bayes'
/// criterion for distances that fall off exponentially, plus what the changes pay. Dynamic programming finds
/// it for every number of changes, so that asking again with another price costs nothing.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "aisp/stats/change_points.h"

namespace aisp::stats {

class OptimalSegments {
 public:
  /// O(n^3) for n finite values: short series only.
  explicit OptimalSegments(std::span<const double> values, std::size_t least = 5);

  /// In order, without p-values: there is no test.
  std::vector<ChangePoint> changes(double price) const;

 private:
  struct Cut {
    double distance = 0;    ///< of all values up to here from their levels
    std::size_t begin = 0;  ///< of the last level
  };

  std::size_t size_;
  std::vector<std::vector<Cut>> best_;  ///< [changes][values up to here]
};

}  // namespace aisp::stats
