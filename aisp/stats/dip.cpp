// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/dip.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace aisp::stats {
namespace {

using Index = std::ptrdiff_t;

// Heights are counted in values: value i stands at height i, and the step there goes from i to i + 1.
double line(std::span<const double> x, Index from, Index to, double at) {
  const auto f = static_cast<std::size_t>(from), t = static_cast<std::size_t>(to);
  if (!(x[t] > x[f])) return static_cast<double>(to);
  return static_cast<double>(from) + static_cast<double>(to - from) * (at - x[f]) / (x[t] - x[f]);
}

// Corners of the greatest convex minorant (sign = 1) or least concave majorant (sign = -1) of the points
// (x_i, i), low <= i <= high.
std::vector<Index> hull(std::span<const double> x, Index low, Index high, int sign) {
  std::vector<Index> corners;
  for (Index i = low; i <= high; ++i) {
    while (corners.size() >= 2) {
      const Index a = corners[corners.size() - 2], b = corners.back();
      const double ab = x[static_cast<std::size_t>(b)] - x[static_cast<std::size_t>(a)];
      const double bi = x[static_cast<std::size_t>(i)] - x[static_cast<std::size_t>(b)];
      // b stays only when the slope rises there (falls, for the majorant).
      if (sign * (static_cast<double>(b - a) * bi - static_cast<double>(i - b) * ab) < 0) break;
      corners.pop_back();
    }
    corners.push_back(i);
  }
  return corners;
}

// The segment of a hull, as its right corner's position, that holds value i.
std::size_t segment_of(const std::vector<Index>& corners, Index i) {
  const auto right = std::lower_bound(corners.begin() + 1, corners.end(), i);
  return static_cast<std::size_t>(right - corners.begin());
}

struct Gap {
  double distance = 1;  // at the ends of the interval both hulls touch the step: its height is 1
  Index low, high;      // modal interval to go on with
};

Gap widest_gap(std::span<const double> x, const std::vector<Index>& convex,
               const std::vector<Index>& concave) {
  Gap gap{1, convex.front(), convex.back()};
  for (Index g : convex) {
    const std::size_t s = segment_of(concave, g);
    const double d =
        line(x, concave[s - 1], concave[s], x[static_cast<std::size_t>(g)]) - static_cast<double>(g) + 1;
    if (d > gap.distance) gap = {d, g, concave[s]};
  }
  for (Index h : concave) {
    const std::size_t s = segment_of(convex, h);
    const double d =
        static_cast<double>(h) - line(x, convex[s - 1], convex[s], x[static_cast<std::size_t>(h)]) + 1;
    if (d > gap.distance) gap = {d, convex[s - 1], h};
  }
  return gap;
}

// The farthest the steps rise above the minorant (side = 1) or fall below the majorant (side = -1) between
// two corners of that hull.
double farthest(std::span<const double> x, const std::vector<Index>& corners, Index from, Index to,
                int side) {
  double most = 1;
  for (std::size_t s = 1; s < corners.size(); ++s) {
    if (corners[s - 1] < from || corners[s] > to) continue;
    for (Index i = corners[s - 1]; i <= corners[s]; ++i) {
      const double on_line = line(x, corners[s - 1], corners[s], x[static_cast<std::size_t>(i)]);
      most = std::max(most, side * (static_cast<double>(i) - on_line) + 1);
    }
  }
  return most;
}

}  // namespace

// Hartigan and Hartigan: shrink the interval that holds the mode. Outside it a function with one mode must be
// convex (left) and concave (right), which costs what `farthest` finds; inside it costs at most the gap
// between the two hulls. When the inside is the cheaper, the dearest part outside is the answer.
double dip(std::span<const double> ascending) {
  const auto n = static_cast<Index>(ascending.size());
  if (n < 2) return 0;
  if (!(ascending.back() > ascending.front())) return 0.5 / static_cast<double>(n);
  Index low = 0, high = n - 1;
  double found = 1;
  while (low < high) {
    const auto convex = hull(ascending, low, high, 1);
    const auto concave = hull(ascending, low, high, -1);
    const Gap gap = widest_gap(ascending, convex, concave);
    if (gap.distance <= found) break;
    found = std::max({found, farthest(ascending, convex, low, gap.low, 1),
                      farthest(ascending, concave, gap.high, high, -1)});
    if (gap.low == low && gap.high == high) break;
    low = gap.low;
    high = gap.high;
  }
  return found / (2 * static_cast<double>(n));
}

}  // namespace aisp::stats
