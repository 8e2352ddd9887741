// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/energy_split.h"

#include <vector>

namespace aisp::stats {
namespace {

constexpr std::size_t kEveryEnd = 128;  // up to here every end is tried
constexpr std::size_t kEnds = 64;  // beyond, so many: where a level ends matters less than where it begins

std::int64_t distance(std::int32_t a, std::int32_t b) {
  const std::int64_t difference = std::int64_t{a} - b;
  return difference < 0 ? -difference : difference;
}

// Sum of distances over all pairs within values[0, j), for every j.
std::vector<std::int64_t> sums_from_start(std::span<const std::int32_t> values) {
  std::vector<std::int64_t> within(values.size() + 1);
  for (std::size_t j = 1; j <= values.size(); ++j) {
    std::int64_t added = 0;
    for (std::size_t i = 0; i + 1 < j; ++i) added += distance(values[i], values[j - 1]);
    within[j] = within[j - 1] + added;
  }
  return within;
}

}  // namespace

// With sides of n and m values, and A, B and C the sums over pairs within the first, the second and both, the
// energy distance times n m / (n + m) is 2 C / (n + m) - 2 A / n - 2 B / m: means over ordered pairs, each
// value also beside itself, so that it is never negative.
EnergySplit best_split(std::span<const std::int32_t> values, std::size_t least) {
  const std::size_t n = values.size();
  EnergySplit best;
  if (least == 0 || n < 2 * least) return best;
  const std::vector<std::int64_t> from_start = sums_from_start(values);
  std::vector<double> per(n + 1), both(n + 1);  // 1 / j, and C / (n + m)
  for (std::size_t j = 1; j <= n; ++j) {
    per[j] = 1 / static_cast<double>(j);
    both[j] = static_cast<double>(from_start[j]) * per[j];
  }
  const std::size_t stride = n <= kEveryEnd ? 1 : n / kEnds;
  std::vector<std::int64_t> from_here(n + 1);  // pairs within values[at, j)
  for (std::size_t at = n; at-- > least;) {
    std::int64_t added = 0;
    for (std::size_t j = at + 2; j <= n; ++j) {
      added += distance(values[at], values[j - 1]);
      from_here[j] += added;
    }
    // From the last end down: the end of the series is always among them.
    for (std::size_t end = n; end >= at + least; end -= stride) {
      const double second = static_cast<double>(from_here[end]) * per[end - at];
      const double statistic = 2 * (both[end] - both[at] - second);
      if (statistic > best.statistic) best = {at, end, statistic};
      if (end < stride) break;
    }
  }
  return best;
}

}  // namespace aisp::stats
