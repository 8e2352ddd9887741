// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/segments.h"

#include <algorithm>
#include <cmath>

#include "aisp/stats/autocorrelation.h"
#include "aisp/stats/summary.h"

namespace aisp::stats {
namespace {

double distance_from(std::span<const double> values, double level) {
  double sum = 0;
  for (const double value : values) sum += std::abs(value - level);
  return sum;
}

// Theil and Sen's line: the median of the slopes of all pairs, and of what it leaves. O(n^2).
struct Line {
  double slope = 0, start = 0;
  double distance = 0;  ///< sum of absolute distances from it
};

Line line_through(std::span<const double> values) {
  std::vector<double> slopes, starts;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i + 1; j < values.size(); ++j)
      slopes.push_back((values[j] - values[i]) / static_cast<double>(j - i));
  }
  Line line;
  line.slope = median(slopes);
  for (std::size_t i = 0; i < values.size(); ++i)
    starts.push_back(values[i] - line.slope * static_cast<double>(i));
  line.start = median(starts);
  line.distance = distance_from(starts, line.start);
  return line;
}

// Changes [first, last) of the series, and the stretch they cut.
struct Stretch {
  std::size_t first = 0, last = 0;
  std::size_t begin = 0, end = 0;
};

double level_of(const std::vector<ChangePoint>& changes, std::size_t index, std::span<const double> values) {
  const std::size_t begin = index == 0 ? 0 : changes[index - 1].at;
  const std::size_t end = index == changes.size() ? values.size() : changes[index].at;
  return median(values.subspan(begin, end - begin));
}

bool line_explains(std::span<const double> values, const std::vector<ChangePoint>& changes, const Stretch& s,
                   const Line& line) {
  double by_steps = 0;
  std::size_t from = s.begin;
  for (std::size_t i = s.first; i <= s.last; ++i) {
    const std::size_t to = i == s.last ? s.end : changes[i].at;
    const auto level = values.subspan(from, to - from);
    by_steps += distance_from(level, median(level));
    from = to;
  }
  // Bayes' criterion for distances that fall off exponentially. A line takes one number beside its start.
  const double n = static_cast<double>(s.end - s.begin);
  const double more_numbers = 2.0 * static_cast<double>(s.last - s.first) - 1;
  return n * std::log(line.distance) < n * std::log(by_steps) + more_numbers * std::log(n);
}

// Of neighbours within the levels, with half a standard error on top: what was cut explains some of it away.
double lag1_within(std::span<const double> values, const std::vector<ChangePoint>& changes) {
  std::vector<std::vector<double>> levels;
  std::size_t from = 0;
  for (std::size_t i = 0; i <= changes.size(); ++i) {
    const std::size_t to = i == changes.size() ? values.size() : changes[i].at;
    levels.emplace_back(values.begin() + static_cast<std::ptrdiff_t>(from),
                        values.begin() + static_cast<std::ptrdiff_t>(to));
    from = to;
  }
  return autocorrelation(levels).lag1 + 0.5 / std::sqrt(static_cast<double>(values.size()));
}

}  // namespace

Segments steps_and_slopes(std::span<const double> values, const std::vector<ChangePoint>& changes) {
  Segments found;
  for (std::size_t first = 0; first < changes.size();) {
    const bool up = level_of(changes, first + 1, values) > level_of(changes, first, values);
    std::size_t last = first + 1;
    while (last < changes.size() &&
           (level_of(changes, last + 1, values) > level_of(changes, last, values)) == up)
      ++last;
    const Stretch stretch{first, last, first == 0 ? 0 : changes[first - 1].at,
                          last == changes.size() ? values.size() : changes[last].at};
    const auto part = values.subspan(stretch.begin, stretch.end - stretch.begin);
    const Line line = line_through(part);
    if (line_explains(values, changes, stretch, line)) {
      found.slopes.push_back({stretch.begin, stretch.end, line.slope * static_cast<double>(part.size() - 1)});
    } else {
      found.changes.insert(found.changes.end(), changes.begin() + static_cast<std::ptrdiff_t>(first),
                           changes.begin() + static_cast<std::ptrdiff_t>(last));
    }
    first = last;
  }
  return found;
}

// Twice: first as if neighbours were independent, which cuts too often rather than too seldom, so that steps
// are not taken for autocorrelation; then with what the parts say about neighbours. The first time no cut is
// made more easily than the first one: cuts that chance made would explain away how alike neighbours are, and
// steady histories of such neighbours looked changed half as often again.
Segments segments(std::span<const double> values, const ChangePointOptions& options) {
  ChangePointOptions strict = options;
  strict.alpha_within = options.alpha;
  const std::vector<ChangePoint> first = change_points(values, strict);
  Segments found = steps_and_slopes(values, first);
  if (found.changes.empty()) return found;
  ChangePointOptions aware = options;
  aware.lag1 = std::max(options.lag1, lag1_within(values, first));
  const Segments again = steps_and_slopes(values, change_points(values, aware));
  found.changes = again.changes;
  std::erase_if(found.changes, [&](const ChangePoint& change) {
    return std::ranges::any_of(
        found.slopes, [&](const Slope& slope) { return change.at > slope.begin && change.at < slope.end; });
  });
  return found;
}

}  // namespace aisp::stats
