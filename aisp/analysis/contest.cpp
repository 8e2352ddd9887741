// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/contest.h"

#include <algorithm>
#include <map>
#include <set>

#include "aisp/core/combinations.h"

namespace aisp::analysis {
namespace {

/// Whether its gain is a ratio of times: those of percentiles and of memory are not.
bool has_time_gain(const Figure& figure) {
  const bool timed = figure.goal == Goal::speed || figure.goal == Goal::throughput;
  return timed && !figure.baseline && figure.gain && figure.gain->low > 0;
}

}  // namespace

Where where(const Figure& figure) {
  return {figure.hardware, figure.workload, figure.parameters, figure.device, figure.cache};
}

std::vector<Contest> contests(std::span<const Figure> figures) {
  const auto same_place = [](const Figure& a, const Figure& b) {
    return a.workload == b.workload && a.parameters == b.parameters && a.hardware == b.hardware &&
           a.device == b.device && a.cache == b.cache;
  };
  std::map<Where, Contest> found;
  Contest* contest = nullptr;
  const Figure* last = nullptr;
  for (const Figure& figure : figures) {
    // They usually come in order: one look-up for each contest instead of each figure.
    if (contest == nullptr || !same_place(*last, figure)) {
      contest = &found[where(figure)];
      contest->where = where(figure);
    }
    last = &figure;
    if (figure.rung == Rung::informational) {
      contest->left_out.push_back({figure.variant, "it is informational"});
    } else if (figure.validity != Validity::valid) {
      contest->left_out.push_back({.variant = figure.variant,
                                   .why = "it is " + std::string(name_of(figure.validity)),
                                   .not_valid = true,
                                   .run = figure.run});
    } else if (is_combination(figure.variant)) {
      contest->left_out.push_back({figure.variant, "it is a combination: `aisp stacking` compares them"});
    } else {
      contest->entrants.push_back(&figure);
      if (figure.baseline) contest->baseline = &figure;
    }
  }
  std::vector<Contest> all;
  all.reserve(found.size());
  for (auto& [place, each] : found) all.push_back(std::move(each));
  return all;
}

std::size_t cells_of(const Contest& contest) {
  std::set<std::int64_t> cells;
  for (const Figure* entrant : contest.entrants) cells.insert(entrant->seq);
  return cells.size();
}

Contest of_one_cell(const Contest& contest) {
  std::map<std::int64_t, int> sizes;
  for (const Figure* entrant : contest.entrants) ++sizes[entrant->seq];
  const auto largest = std::ranges::max_element(
      sizes, {}, [](const auto& entry) { return std::pair(entry.second, entry.first); });
  Contest one{.where = contest.where, .left_out = contest.left_out};
  for (const Figure* entrant : contest.entrants) {
    if (entrant->seq != largest->first) {
      one.left_out.push_back(
          {entrant->variant, "it was measured in another run: times of one run are compared"});
      continue;
    }
    one.entrants.push_back(entrant);
    if (entrant == contest.baseline) one.baseline = entrant;
  }
  return one;
}

Contest over_one_baseline(const Contest& contest) {
  std::map<std::string, int> baselines;
  for (const Figure* entrant : contest.entrants)
    if (has_time_gain(*entrant)) ++baselines[entrant->against];
  Contest one{.where = contest.where, .left_out = contest.left_out};
  const auto most = std::ranges::max_element(baselines, {}, [](const auto& entry) { return entry.second; });
  for (const Figure* entrant : contest.entrants) {
    const bool first = most != baselines.end() && entrant->baseline && entrant->variant == most->first;
    const bool compared =
        most != baselines.end() && has_time_gain(*entrant) && entrant->against == most->first;
    if (!first && !compared) {
      one.left_out.push_back(
          {entrant->variant,
           "it was measured in another run, without a gain in time over the same baseline"});
      continue;
    }
    one.entrants.push_back(entrant);
    if (first) one.baseline = entrant;
  }
  return one;
}

Estimate share_of_baseline(const Figure& figure) {
  if (figure.baseline || !figure.gain) return {1, 1, 1};
  return {1 / figure.gain->value, 1 / figure.gain->high, 1 / figure.gain->low};
}

}  // namespace aisp::analysis
