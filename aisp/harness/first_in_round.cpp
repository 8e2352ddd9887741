// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/first_in_round.h"

#include <algorithm>
#include <string_view>

#include "aisp/stats/summary.h"

namespace aisp::harness {
namespace {

// The fastest of fewer may be one that something held up.
constexpr std::size_t kFewestTurns = 4;

bool begins_with(std::string_view order, std::string_view name) {
  if (!order.starts_with(name)) return false;
  order.remove_prefix(name.size());
  return order.empty() || order.front() == ' ' || order.front() == '\'';
}

}  // namespace

std::string first_of(const CellResult& cell, const RoundRecord& round) {
  std::string_view order = round.order;
  if (begins_with(order, kCeilingSlot))
    order.remove_prefix(std::min(order.size(), std::string_view(kCeilingSlot).size() + 1));
  std::string first;
  for (const VariantResult& v : cell.variants) {  // a name may hold a space: the longest that fits
    if (v.name.size() > first.size() && begins_with(order, v.name)) first = v.name;
  }
  return first;
}

std::optional<double> first_in_round_slowdown(const CellResult& cell, const VariantResult& variant,
                                              const CostByRound& costs) {
  if (&variant == cell.baseline()) return 1;  // a baseline that borrows only makes the others look worse
  std::vector<double> first, later;
  for (const RoundRecord& round : cell.rounds) {
    const auto cost = costs.find({round.attempt, round.round});
    if (cost == costs.end()) continue;
    const std::string leader = first_of(cell, round);
    if (leader.empty()) continue;
    (leader == variant.name ? first : later).push_back(cost->second);
  }
  if (later.empty() && !first.empty()) return 1;  // nobody else there
  if (first.size() < kFewestTurns || later.size() < kFewestTurns) return std::nullopt;
  const double after = stats::median(later);
  if (!(after > 0)) return std::nullopt;
  // The fastest: who copies is slow whenever there is nothing to copy, who was held up is not always.
  return std::ranges::min(first) / after;
}

}  // namespace aisp::harness
