// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/power.h"

#include <algorithm>

namespace aisp::analysis {

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
                    .joules_per_call = *figure->joules};
      if (figure->items > 0) {
        row.joules_per_item = row.joules_per_call / figure->items;
        row.items_per_joule = figure->items / row.joules_per_call;
      }
      // Energy is counted over calls that follow each other: a cold call's time is another one.
      if (figure->cache != CacheMode::cold && figure->time_ns && figure->time_ns->value > 0)
        row.watts = row.joules_per_call / (figure->time_ns->value * 1e-9);
      answer.rows.push_back(std::move(row));
    }
    if (answer.rows.empty()) answer.needs = contest.entrants.empty() ? kNeedsValid : kNeeds;
    std::ranges::stable_sort(answer.rows, {}, &EnergyRow::joules_per_call);
    all.push_back(std::move(answer));
  }
  return all;
}

}  // namespace aisp::analysis
