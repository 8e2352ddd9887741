// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/pareto.h"

#include <algorithm>
#include <cmath>

#include "aisp/analysis/point.h"
#include "aisp/analysis/worst_error.h"
#include "aisp/core/memory_resolution.h"

namespace aisp::analysis {
namespace {

std::string missing(Respect respect) {
  switch (respect) {
    case Respect::time:
      return "its time";
    case Respect::memory:
      return "its memory, which was not measured";
    case Respect::energy:
      return std::string("its energy: ") + kNeedsEnergy;
    case Respect::error:
      return "the error of its answers, none of which was checked";
  }
  return "";
}

/// Times of one run are compared as they are, those of several as shares of their baselines': one measure for
/// all of a front, because two would make circles.
struct Comparison {
  std::vector<Respect> respects;
  bool by_share = false;
  std::optional<Estimate> cost_of(const Figure& figure, Respect respect) const {
    return by_share && respect == Respect::time && figure.time_ns ? share_of_baseline(figure)
                                                                  : cost(figure, respect);
  }
};

/// Most variants, and of equals the times of one run, which say more. Whoever is left out though it was
/// faster where it was measured than the fastest that is left says so.
Contest comparable(const Contest& whole, bool& by_share) {
  Contest one = of_one_cell(whole), shares = over_one_baseline(whole);
  by_share = shares.entrants.size() > one.entrants.size();
  Contest& kept = by_share ? shares : one;
  const Figure* fastest = nullptr;
  for (const Figure* each : kept.entrants)
    if (each->time_ns && (fastest == nullptr || each->time_ns->value < fastest->time_ns->value))
      fastest = each;
  for (std::size_t i = whole.left_out.size(); i < kept.left_out.size(); ++i) {
    const auto is_it = [&](const Figure* each) { return each->variant == kept.left_out[i].variant; };
    const Figure& out = **std::ranges::find_if(whole.entrants, is_it);
    if (fastest != nullptr && out.time_ns && out.time_ns->high < fastest->time_ns->low)
      kept.left_out[i].why += "; there it took less time than any of these";
  }
  return kept;
}

/// Energies that are not apart are one, and so are peaks of memory; but never both, or steps that surely save
/// energy and lose memory within its interval, and the reverse, could close a circle. Where pages are counted
/// energies are compared by value: this program counts energy on GPUs alone, a store may hold what it likes.
bool equal_within(Respect respect, const Figure& figure) {
  return respect == (counts_pages(figure.device) ? Respect::memory : Respect::energy);
}

/// Point by point no worse, and in one respect surely better: an order without circles, because the points
/// alone are one. Errors are points of two digits. The one respect of equal_within() makes none: around a
/// circle all other points would be equal, so that every step would have to surely save in that one.
bool dominates(const Figure& a, const Figure& b, const Comparison& by) {
  bool surely = false;
  for (const Respect respect : by.respects) {
    const Estimate one = *by.cost_of(a, respect), other = *by.cost_of(b, respect);
    const bool no_worse = equal_within(respect, a) ? one.low <= other.high : one.value <= other.value;
    if (!no_worse) return false;
    surely = surely || one.high < other.low;
  }
  return surely;
}

FrontMember member_of(const Figure& figure, const Comparison& by) {
  return {.variant = figure.variant,
          .anchor = figure.rung == Rung::anchor,
          .baseline = figure.baseline,
          .time_ns = figure.time_ns,
          .peak_bytes = figure.peak_bytes,
          .joules = energy_of(figure),
          .worst_error = figure.worst_error,
          .run = figure.run,
          .time_share = by.by_share ? by.cost_of(figure, Respect::time) : std::nullopt};
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
      return memory_of(figure);
    case Respect::energy: {
      const auto joules = energy_of(figure);
      if (!joules || joules->low < joules->high) return joules;
      const double half = std::sqrt(1 + kSameEnergy);
      return Estimate{joules->value, joules->value / half, joules->value * half};
    }
    case Respect::error:
      return figure.worst_error ? point(told_apart(*figure.worst_error)) : std::nullopt;
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
  Comparison by;
  const Contest contest = comparable(whole, by.by_share);
  front.left_out = contest.left_out;
  if (respects.empty()) {
    std::ranges::copy_if(kRespects, std::back_inserter(respects), [&](Respect respect) {
      return std::ranges::all_of(contest.entrants,
                                 [&](const Figure* each) { return cost(*each, respect).has_value(); });
    });
  }
  by.respects = respects;
  if (by.by_share) {
    front.note =
        "of " + std::to_string(cells_of(contest)) +
        " runs: times are compared as shares of the baseline's in the same rounds, the rest as found";
  }
  for (const Respect respect : respects) front.respects.emplace_back(name_of(respect));
  std::vector<const Figure*> compared;
  for (const Figure* entrant : contest.entrants) {
    const auto unknown = std::ranges::find_if(respects, [&](Respect r) { return !cost(*entrant, r); });
    if (unknown == respects.end()) {
      compared.push_back(entrant);
    } else {
      front.left_out.push_back({entrant->variant, "needs " + missing(*unknown)});
    }
  }
  if (respects.size() < 2 || compared.size() < 2) {
    front.needs = respects.size() < 2
                      ? "a second respect that is known of every variant, such as memory"
                      : "two variants measured in one run in every respect, or in several with gains in time";
    return front;
  }
  std::ranges::stable_sort(compared, {},
                           [&](const Figure* each) { return by.cost_of(*each, respects.front())->value; });
  for (const Figure* each : compared) {
    FrontMember member = member_of(*each, by);
    for (const Figure* other : compared)
      if (dominates(*other, *each, by)) member.dominated_by.push_back(other->variant);
    front.members.push_back(std::move(member));
  }
  std::ranges::stable_partition(front.members, &FrontMember::on_front);
  return front;
}

}  // namespace aisp::analysis
