// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/pareto.h"

#include <algorithm>

#include "aisp/analysis/point.h"

namespace aisp::analysis {
namespace {

const char* missing(Respect respect) {
  switch (respect) {
    case Respect::time:
      return "its time";
    case Respect::memory:
      return "its memory, which was not measured";
    case Respect::energy:
      return "its energy, for which there was no counter";
    case Respect::error:
      return "the error of its answers, none of which was checked";
  }
  return "";
}

/// Point by point no worse, and in one respect surely better: an order without circles, because the points
/// alone are one. Energy alone has a margin, which makes none: around a circle all other points would be
/// equal, so that every step would have to save more energy than the margin.
bool dominates(const Figure& a, const Figure& b, std::span<const Respect> respects) {
  bool surely = false;
  for (const Respect respect : respects) {
    const Estimate one = *cost(a, respect), other = *cost(b, respect);
    const double margin = respect == Respect::energy ? 1 + kSameEnergy : 1;
    if (!(one.value <= other.value * margin)) return false;
    surely = surely || one.high * margin < other.low;
  }
  return surely;
}

FrontMember member_of(const Figure& figure) {
  return {.variant = figure.variant,
          .anchor = figure.rung == Rung::anchor,
          .baseline = figure.baseline,
          .time_ns = figure.time_ns,
          .peak_bytes = figure.peak_bytes,
          .joules = figure.joules,
          .worst_error = figure.worst_error};
}

}  // namespace

std::string_view name_of(Respect respect) {
  constexpr std::array<std::string_view, 4> kNames{"time", "memory", "energy", "error"};
  return kNames[static_cast<std::size_t>(respect)];
}

std::optional<Estimate> cost(const Figure& figure, Respect respect) {
  switch (respect) {
    case Respect::time:
      return figure.time_ns;
    case Respect::memory:
      return point(figure.peak_bytes);
    case Respect::energy:
      return point(figure.joules);
    case Respect::error:
      return point(figure.worst_error);
  }
  return std::nullopt;
}

Front pareto(const Contest& whole, std::vector<Respect> respects) {
  Front front{.where = whole.where};
  if (whole.entrants.empty()) {
    front.left_out = whole.left_out;
    front.needs = "valid variants";
    return front;
  }
  const Contest contest = of_one_cell(whole);
  front.left_out = contest.left_out;
  if (respects.empty()) {
    std::ranges::copy_if(kRespects, std::back_inserter(respects), [&](Respect respect) {
      return std::ranges::all_of(contest.entrants,
                                 [&](const Figure* each) { return cost(*each, respect).has_value(); });
    });
  }
  for (const Respect respect : respects) front.respects.emplace_back(name_of(respect));
  std::vector<const Figure*> compared;
  for (const Figure* entrant : contest.entrants) {
    const auto unknown = std::ranges::find_if(respects, [&](Respect r) { return !cost(*entrant, r); });
    if (unknown == respects.end()) {
      compared.push_back(entrant);
    } else {
      front.left_out.push_back({entrant->variant, std::string("needs ") + missing(*unknown)});
    }
  }
  if (respects.size() < 2 || compared.size() < 2) {
    front.needs = respects.size() < 2 ? "a second respect that is known of every variant, such as memory"
                                      : "two variants measured in one run in every respect";
    return front;
  }
  std::ranges::stable_sort(compared, {},
                           [&](const Figure* each) { return cost(*each, respects.front())->value; });
  for (const Figure* each : compared) {
    FrontMember member = member_of(*each);
    for (const Figure* other : compared)
      if (dominates(*other, *each, respects)) member.dominated_by.push_back(other->variant);
    front.members.push_back(std::move(member));
  }
  std::ranges::stable_partition(front.members, &FrontMember::on_front);
  return front;
}

}  // namespace aisp::analysis
