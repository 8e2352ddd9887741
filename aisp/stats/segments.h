// SPDX-License-Identifier: Apache-2.0
/// \file
/// Steps or slope? A series that creeps is cut into steps by any search for change points, and each step
/// would blame a revision for what none of them did.
///
///   const Segments s = segments(log_values, {});
///   for (const ChangePoint& c : s.changes) ...   // steps
///   for (const Slope& l : s.slopes) ...          // stretches that a straight line explains better
///
/// Neighbouring steps in the same direction are held against one line through the stretch they cut, by the
/// sum of absolute distances, each step paying for the two numbers it takes (its place and its height). A
/// step on top of a slope is not modelled: it is one or the other.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "aisp/stats/change_points.h"

namespace aisp::stats {

struct Slope {
  std::size_t begin = 0, end = 0;  ///< values[begin, end)
  double rise = 0;                 ///< of the line, from the first value to the last
};

struct Segments {
  std::vector<ChangePoint> changes;  ///< in order
  std::vector<Slope> slopes;         ///< in order
};

Segments segments(std::span<const double> values, const ChangePointOptions& options);

/// The same question about cuts, in order, that somebody else made.
Segments steps_and_slopes(std::span<const double> values, const std::vector<ChangePoint>& changes);

}  // namespace aisp::stats
