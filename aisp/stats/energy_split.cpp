// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/energy_split.h"

#include <algorithm>
#include <vector>

namespace aisp::stats {
namespace {

constexpr std::size_t kEveryEnd = 128;  // up to here every end is tried
constexpr std::size_t kEnds = 64;  // beyond, so many: where a level ends matters less than where it begins

template <class Sum>
Sum distance(std::int32_t a, std::int32_t b) {
  const Sum difference = Sum{a} - b;
  return difference < 0 ? -difference : difference;
}

// Sum of distances over all pairs within values[0, j), for every j.
template <class Sum>
std::vector<Sum> sums_from_start(std::span<const std::int32_t> values) {
  std::vector<Sum> within(values.size() + 1);
  for (std::size_t j = 1; j <= values.size(); ++j) {
    Sum added = 0;
    for (std::size_t i = 0; i + 1 < j; ++i) added += distance<Sum>(values[i], values[j - 1]);
    within[j] = within[j - 1] + added;
  }
  return within;
}

// With sides of n and m values, and A, B and C the sums over pairs within the first, the second and both, the
// energy distance times n m / (n + m) is 2 C / (n + m) - 2 A / n - 2 B / m: means over ordered pairs, each
// value also beside itself, so that it is never negative.
template <class Sum>
EnergySplit best_split_by(std::span<const std::int32_t> values, std::size_t least) {
  const std::size_t n = values.size();
  EnergySplit best;
  const std::vector<Sum> from_start = sums_from_start<Sum>(values);
  std::vector<double> per(n + 1), both(n + 1);  // 1 / j, and C / (n + m)
  for (std::size_t j = 1; j <= n; ++j) {
    per[j] = 1 / static_cast<double>(j);
    both[j] = static_cast<double>(from_start[j]) * per[j];
  }
  const std::size_t stride = n <= kEveryEnd ? 1 : n / kEnds;
  std::vector<Sum> from_here(n + 1);  // pairs within values[at, j)
  for (std::size_t at = n; at-- > least;) {
    Sum added = 0;
    for (std::size_t j = at + 2; j <= n; ++j) {
      added += distance<Sum>(values[at], values[j - 1]);
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

}  // namespace

// Sums that fit are kept in 32 bits, which is faster: there are at most n^2 / 2 pairs.
EnergySplit best_split(std::span<const std::int32_t> values, std::size_t least) {
  const std::size_t n = values.size();
  if (least == 0 || n < 2 * least) return {};
  const auto [low, high] = std::ranges::minmax(values);
  const double most =
      0.5 * static_cast<double>(n) * static_cast<double>(n) * (static_cast<double>(high) - low);
  return most < 0x1p31 ? best_split_by<std::int32_t>(values, least)
                       : best_split_by<std::int64_t>(values, least);
}

}  // namespace aisp::stats
