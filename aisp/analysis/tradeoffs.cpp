// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/tradeoffs.h"

#include <algorithm>

namespace aisp::analysis {
namespace {

std::optional<double> ratio(const std::optional<double>& to, const std::optional<double>& from) {
  if (!to || !from || !(*from > 0)) return std::nullopt;
  return *to / *from;
}

}  // namespace

std::vector<Exchange> exchanges(const Front& front) {
  std::vector<const FrontMember*> members;
  for (const FrontMember& member : front.members)
    if (member.on_front() && member.time_ns && member.time_ns->low > 0) members.push_back(&member);
  std::ranges::stable_sort(members, {}, [](const FrontMember* each) { return each->time_ns->value; });
  std::vector<Exchange> steps;
  for (std::size_t i = 1; i < members.size(); ++i) {
    const FrontMember &from = *members[i - 1], &to = *members[i];
    steps.push_back({.from = from.variant,
                     .to = to.variant,
                     .time = {to.time_ns->value / from.time_ns->value, to.time_ns->low / from.time_ns->high,
                              to.time_ns->high / from.time_ns->low},
                     .memory = ratio(to.peak_bytes, from.peak_bytes),
                     .energy = ratio(to.joules, from.joules),
                     .error = ratio(to.worst_error, from.worst_error)});
  }
  return steps;
}

}  // namespace aisp::analysis
