// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/stored_rounds.h"

#include <algorithm>
#include <set>
#include <utility>

#include "aisp/cli/documents.h"
#include "aisp/harness/derive.h"

namespace aisp::cli {

Result<const StoredRounds::Rules*> StoredRounds::rules_of(const std::string& run) {
  auto known = rules_.find(run);
  if (known == rules_.end()) {
    const auto start = store_->load_start(run);
    if (!start) return start.error();
    known = rules_.emplace(run, std::nullopt).first;
    if (*start) {
      const RunConfig& config = (*start)->manifest.config;
      known->second = Rules{stats::SequentialPlan(config.looks, config.alpha), config.equivalence};
    }
  }
  return known->second ? &*known->second : nullptr;
}

/// Each cell is read once, and only where it has two places.
Status StoredRounds::decide(analysis::Standing& standing) {
  if (store_ == nullptr) return Ok{};
  std::map<std::int64_t, std::pair<CellResult, const Rules*>> cells;
  for (const analysis::Place& place : standing.places) {
    const auto same = [&](const analysis::Place& each) { return each.seq == place.seq; };
    if (cells.contains(place.seq) || std::ranges::count_if(standing.places, same) < 2) continue;
    Result<CellResult> cell = store_->load_cell(place.seq, {.evidence = false});
    if (!cell) return cell.error();
    const Result<const Rules*> rules = rules_of(place.run);
    if (!rules) return rules.error();
    if (*rules != nullptr) cells.emplace(place.seq, std::pair(*std::move(cell), *rules));
  }
  const auto pair = [&](const analysis::Place& a, const analysis::Place& b) -> std::optional<Estimate> {
    const auto found = cells.find(a.seq);
    if (found == cells.end()) return std::nullopt;
    const auto& [cell, rules] = found->second;
    const VariantResult *first = cell.find(b.variant), *second = cell.find(a.variant);
    if (first == nullptr || second == nullptr) return std::nullopt;
    const auto ratio = harness::compare_pair(cell, *first, *second, rules->plan, rules->equivalence);
    return ratio ? std::optional(Estimate{ratio->ratio, ratio->low, ratio->high}) : std::nullopt;
  };
  analysis::decide_by_pairs(standing, pair);
  return Ok{};
}

Result<std::vector<analysis::Leader>> leaders_by_rounds(std::vector<analysis::Standing>& standings,
                                                        StoredRounds& rounds) {
  std::set<analysis::Where> unreadable;
  for (;;) {
    std::vector<analysis::Leader> leaders = analysis::leaders(standings, standings.size());
    bool anew = false;
    for (std::size_t i = 0; i < std::min(leaders.size(), kMostContestsRead); ++i) {
      const analysis::Where& where = leaders[i].where;
      if (leaders[i].by_rounds || unreadable.contains(where)) continue;
      const Status read = rounds.decide(*std::ranges::find(standings, where, &analysis::Standing::where));
      if (!read && read.error().code != ErrorCode::bad_input && read.error().code != ErrorCode::store)
        return read.error();
      if (!read) unreadable.insert(where);
      anew = true;
    }
    // Another variant of a contest may be its best by rounds, and the order that of another gain.
    if (!anew) return leaders;
  }
}

Json leaders_json(const std::vector<analysis::Leader>& leaders) {
  Json list = to_json(leaders);
  for (std::size_t i = 0; i < leaders.size(); ++i) {
    if (leaders[i].by_rounds) continue;
    list[i]["place"]["rank"] = nullptr;
    list[i]["place"]["tied"] = nullptr;
  }
  return list;
}

}  // namespace aisp::cli
