// SPDX-License-Identifier: Apache-2.0
/// \file
/// Ranks within a contest by the rounds of its cells, read from a store.
///
///   StoredRounds rounds(store);
///   rounds.decide(standing);                            // of one contest
///   leaders_by_rounds(standings, rounds);               // of the first of all contests
///
/// A cell of a thousand samples takes two milliseconds to read and to compare, and up to seven where its
/// rounds are correlated, so nobody reads those of thousands of contests.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "aisp/analysis/leaderboard.h"
#include "aisp/core/result.h"
#include "aisp/stats/sequential.h"
#include "aisp/store/store.h"

namespace aisp::cli {

class StoredRounds {
 public:
  /// Null: there is no store, and ranks stay those by gains.
  explicit StoredRounds(store::Store* store) : store_(store) {}

  Status decide(analysis::Standing& standing);

 private:
  /// How the rounds of a run are compared. Plans take a while to make.
  struct Rules {
    stats::SequentialPlan plan;
    double equivalence = 0;
  };
  /// Null where the run has no beginning.
  Result<const Rules*> rules_of(const std::string& run);
  store::Store* store_;
  std::map<std::string, std::optional<Rules>> rules_;
};

/// Of the leaders so many are decided by rounds, whichever of them an answer shows.
inline constexpr std::size_t kMostContestsRead = 20;

/// All proven gains, the largest first. Those of the first kMostContestsRead are the best of their contests
/// by rounds, as where the workload is named. The first of all and not of a page: what is decided moves, and
/// pages that each decided their own would repeat and miss contests. Cells that are pruned or damaged decide
/// nothing. An Error is what passes, such as memory that ran out: nobody may keep an answer without these
/// rounds.
Result<std::vector<analysis::Leader>> leaders_by_rounds(std::vector<analysis::Standing>& standings,
                                                        StoredRounds& rounds);

}  // namespace aisp::cli
