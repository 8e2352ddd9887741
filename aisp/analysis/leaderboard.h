// SPDX-License-Identifier: Apache-2.0
/// \file
/// Who is best at what a workload is for: its goal's figure, as a gain over the baseline measured in the same
/// rounds. Gains of different runs may be compared; times of different days may not.
///
///   for (const Standing& standing : standings(figures, {})) ...   // every variant of every contest
///   leaders(standings(figures, Goal::speed), 20)                  // the largest proven gains
///
/// A rank is one more than the number of those that are surely better: by the rounds that both were sampled
/// in, where these are given, else by gains whose intervals are apart; and whoever is better than a better
/// one is better too. So of equal ranks none is surely better, and ranks never decrease down a table. Anchors
/// are shown in their place and have no rank: they are what the ladder is held to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "aisp/analysis/contest.h"

namespace aisp::analysis {

struct Place {
  std::string variant;
  std::optional<int> rank;  ///< none for anchors
  bool tied = false;        ///< others have the same rank
  bool baseline = false;
  Estimate gain;  ///< over the baseline, which has 1
  std::optional<Estimate> time_ns, figure;
  std::string run;
  bool newest = true;    ///< false: a later result of this variant is not valid
  std::int64_t seq = 0;  ///< of its cell; places of one cell were sampled in the same rounds
  AISP_FIELDS(variant, rank, tied, baseline, gain, time_ns, figure, run, newest)
};

struct Standing {
  Where where;
  Goal goal = Goal::speed;
  std::vector<Place> places;  ///< best first
  std::vector<LeftOut> left_out;
  std::string needs;       ///< what is missing where there are no places
  bool by_rounds = false;  ///< ranked by decide_by_pairs()
  AISP_FIELDS(where, goal, places, left_out, needs)
};

/// Ranks by gains.
Standing standing_of(const Contest& contest);

/// One for each contest; those of another goal are left away where a goal is given.
std::vector<Standing> standings(std::span<const Figure> figures, std::optional<Goal> goal);

/// How many times better the first is than the second, from the rounds of their cell; nothing where no ratio
/// follows from them.
using PairOf = std::function<std::optional<Estimate>(const Place& first, const Place& second)>;

/// Ranks anew, places of one cell by their rounds: gains over one baseline carry its noise, their ratio does
/// not.
void decide_by_pairs(Standing& standing, const PairOf& pair);

/// Ranked, and its whole interval lies above 1. A baseline has none, and a gain of 5 [0.2, 640] may be a
/// loss: both share the first rank with whatever they are not surely worse than, and neither proves anything.
bool is_proven(const Place& place);

/// The best of one contest among those whose gain is proven.
struct Leader {
  Where where;
  Goal goal = Goal::speed;
  int rank = 0;
  bool tied = false;
  Place place;
  bool by_rounds = false;  ///< else another place, and other ranks, may follow from the rounds of its contest
  AISP_FIELDS(where, goal, rank, tied, place)
};

/// The largest proven gains, at most `top`; contests without one have no leader. Ranks are over all of them.
std::vector<Leader> leaders(const std::vector<Standing>& standings, std::size_t top);

}  // namespace aisp::analysis
