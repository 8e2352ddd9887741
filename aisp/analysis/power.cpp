// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/power.h"

#include <algorithm>
#include <cmath>

#include "aisp/analysis/point.h"

namespace aisp::analysis {

std::vector<Consumption> consumption(std::span<const Figure> figures) {
  std::vector<Consumption> all;
  for (const Contest& contest : contests(figures)) {
    Consumption answer{.where = contest.where, .left_out = contest.left_out};
    for (const Figure* figure : contest.entrants) {
      if (!figure->joules || !(*figure->joules > 0)) {
        answer.left_out.push_back({figure->variant, std::string("needs ") + kNeedsEnergy});
        continue;
      }
      EnergyRow row{.variant = figure->variant,
                    .anchor = figure->rung == Rung::anchor,
                    .joules_per_call = *energy_of(*figure),
                    .watts = power_of(*figure)};
      const Estimate& joules = row.joules_per_call;
      if (figure->items > 0) {
        const double items = figure->items;
        row.joules_per_item = Estimate{joules.value / items, joules.low / items, joules.high / items};
        row.items_per_joule = Estimate{items / joules.value, items / joules.high,
                                       joules.low > 0 ? items / joules.low : HUGE_VAL};
      }
      answer.rows.push_back(std::move(row));
    }
    if (answer.rows.empty()) answer.needs = contest.entrants.empty() ? kNeedsValid : kNeedsEnergy;
    std::ranges::stable_sort(answer.rows, {}, [](const EnergyRow& row) { return row.joules_per_call.value; });
    all.push_back(std::move(answer));
  }
  return all;
}

}  // namespace aisp::analysis
