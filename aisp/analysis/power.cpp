// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/power.h"

#include <algorithm>
#include <cmath>

#include "aisp/analysis/point.h"

namespace aisp::analysis {
namespace {

/// An interval of the times alone would be too narrow: without one of the energy there is none.
Estimate power_of(const Estimate& joules, const Estimate& ns) {
  const double watts = joules.value / (ns.value * 1e-9);
  if (joules.low == joules.high) return {watts, watts, watts};
  return {watts, joules.low / (ns.high * 1e-9), joules.high / (ns.low * 1e-9)};
}

}  // namespace

std::vector<Consumption> consumption(std::span<const Figure> figures) {
  constexpr const char* kNeeds = "an energy counter: none was read on this machine";
  std::vector<Consumption> all;
  for (const Contest& contest : contests(figures)) {
    Consumption answer{.where = contest.where, .left_out = contest.left_out};
    for (const Figure* figure : contest.entrants) {
      if (!figure->joules || !(*figure->joules > 0)) {
        answer.left_out.push_back({figure->variant, std::string("needs ") + kNeeds});
        continue;
      }
      EnergyRow row{.variant = figure->variant,
                    .anchor = figure->rung == Rung::anchor,
                    .joules_per_call = *energy_of(*figure)};
      const Estimate& joules = row.joules_per_call;
      if (figure->items > 0) {
        const double items = figure->items;
        row.joules_per_item = Estimate{joules.value / items, joules.low / items, joules.high / items};
        row.items_per_joule = Estimate{items / joules.value, items / joules.high,
                                       joules.low > 0 ? items / joules.low : HUGE_VAL};
      }
      // Energy is counted over calls that follow each other: a cold call's time is another one.
      if (figure->cache != CacheMode::cold && figure->time_ns && figure->time_ns->low > 0)
        row.watts = power_of(joules, *figure->time_ns);
      answer.rows.push_back(std::move(row));
    }
    if (answer.rows.empty()) answer.needs = contest.entrants.empty() ? kNeedsValid : kNeeds;
    std::ranges::stable_sort(answer.rows, {}, [](const EnergyRow& row) { return row.joules_per_call.value; });
    all.push_back(std::move(answer));
  }
  return all;
}

}  // namespace aisp::analysis
