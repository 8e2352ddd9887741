// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/held_out.h"

#include <algorithm>
#include <random>

namespace aisp::harness {
namespace {

constexpr int kDraws = 8;  ///< until one is no size that is known already

bool knows(const std::vector<Params>& sizes, const Params& size) {
  return std::ranges::find(sizes, size) != sizes.end();
}

/// Where a workload lists one size only, its surroundings have to do.
std::pair<std::int64_t, std::int64_t> range_of(const AxisInfo& axis, std::int64_t tuned, bool by_list) {
  const auto [low, high] = std::ranges::minmax(axis.values);
  if (by_list) return {low, high};
  return {std::max(axis.least, tuned / 2), std::min(axis.most.value_or(2 * tuned), 2 * tuned)};
}

Params drawn_size(const WorkloadInfo& workload, const Params& tuned, std::mt19937_64& random) {
  const auto lists_several = [](const AxisInfo& axis) {
    return axis.name != "threads" && axis.values.size() > 1;
  };
  const bool by_list = std::ranges::any_of(workload.axes, lists_several);
  Params size = tuned;
  for (const AxisInfo& axis : workload.axes) {
    if (axis.name == "threads" || (by_list && !lists_several(axis))) continue;
    const auto [low, high] = range_of(axis, tuned[axis.name], by_list);
    if (low < high) size.set(axis.name, std::uniform_int_distribution(low, high)(random));
  }
  return size;
}

}  // namespace

std::vector<Params> held_out_sizes(const WorkloadInfo& workload, const Params& tuned,
                                   const std::vector<Params>& all_tuned, const std::vector<Params>& listed,
                                   std::uint64_t stream) {
  std::vector<Params> others;
  for (const Params& size : listed)
    if (size != tuned && !knows(all_tuned, size)) others.push_back(size);
  std::vector<Params> chosen;
  if (!others.empty()) chosen.push_back(others.front());
  if (others.size() > 1) chosen.push_back(others.back());
  std::mt19937_64 random(stream);
  for (int draw = 0; draw < kDraws; ++draw) {
    const Params size = drawn_size(workload, tuned, random);
    if (size == tuned || knows(all_tuned, size) || knows(listed, size)) continue;
    chosen.push_back(size);
    break;
  }
  return chosen;
}

}  // namespace aisp::harness
