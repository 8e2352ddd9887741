// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/tradeoffs.h"

#include <algorithm>

#include "aisp/analysis/point.h"
#include "aisp/analysis/worst_error.h"

namespace aisp::analysis {
namespace {

std::optional<double> ratio(const std::optional<double>& to, const std::optional<double>& from) {
  if (!to || !from || !(*from > 0)) return std::nullopt;
  return *to / *from;
}

/// Between intervals of two that are not paired.
Estimate ratio_of(const Estimate& to, const Estimate& from) {
  return {to.value / from.value, to.low / from.high, to.high / from.low};
}

std::optional<Estimate> energy_ratio(const FrontMember& to, const FrontMember& from) {
  const auto value = [](const FrontMember& each) {
    return each.joules ? std::optional(each.joules->value) : std::nullopt;
  };
  const auto has_interval = [](const FrontMember& each) {
    return each.joules && each.joules->low < each.joules->high;
  };
  const bool known = has_interval(to) && has_interval(from) && from.joules->low > 0;
  return known ? std::optional(ratio_of(*to.joules, *from.joules)) : point(ratio(value(to), value(from)));
}

/// 1 where the device cannot tell the two apart.
std::optional<double> memory_ratio(const FrontMember& to, const FrontMember& from, std::string_view device) {
  const bool known = to.peak_bytes && from.peak_bytes;
  if (known && same_memory(*to.peak_bytes, *from.peak_bytes, device)) return 1;
  return ratio(to.peak_bytes, from.peak_bytes);
}

std::optional<double> error_ratio(const FrontMember& to, const FrontMember& from) {
  if (!to.worst_error || !from.worst_error) return std::nullopt;
  return ratio(told_apart(*to.worst_error), told_apart(*from.worst_error));
}

/// What the front compared: its time, or the share of its baseline's.
const std::optional<Estimate>& time_of(const FrontMember& member) {
  return member.time_share ? member.time_share : member.time_ns;
}

}  // namespace

std::vector<Exchange> exchanges(const Front& front) {
  std::vector<const FrontMember*> members;
  for (const FrontMember& member : front.members)
    if (member.on_front() && time_of(member) && time_of(member)->low > 0) members.push_back(&member);
  std::ranges::stable_sort(members, {}, [](const FrontMember* each) { return time_of(*each)->value; });
  std::vector<Exchange> steps;
  for (std::size_t i = 1; i < members.size(); ++i) {
    const FrontMember &from = *members[i - 1], &to = *members[i];
    steps.push_back({.from = from.variant,
                     .to = to.variant,
                     .time = ratio_of(*time_of(to), *time_of(from)),
                     .memory = memory_ratio(to, from, front.where.device),
                     .energy = energy_ratio(to, from),
                     .error = error_ratio(to, from)});
  }
  return steps;
}

}  // namespace aisp::analysis
