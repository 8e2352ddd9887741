// SPDX-License-Identifier: Apache-2.0
/// \file
/// What to do next about a workload, from what bounds it, what was counted, and its goal. Each advice names
/// the numbers it follows from; where those are missing it says what to measure.
///
///   for (const Advice& advice : recommendations(figures)) advice.action;
///
/// Rules, one function each, and no table of promises: nothing is said about a gain that was not measured,
/// but for the room that is left below a measured ceiling. They are about the best variant of a contest whose
/// gain is proven, by gains as they are where the leaderboard reads no rounds, and where none is, about the
/// baseline; who looks better without proof is worth measuring longer.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "aisp/analysis/contest.h"

namespace aisp::analysis {

struct Advice {
  Where where;
  std::string variant;  ///< that it is about
  std::string rule;     ///< "at the ceiling", "room below the ceiling", ...
  std::string because;  ///< with the numbers
  std::string action;   ///< what to do
  /// At most this many times better, where a ceiling says so: its time over the least that the ceiling
  /// allows, with the interval of that time. The ceiling, a maximum over probes, has none.
  std::optional<Estimate> room;
  std::string run = {};  ///< that it follows from
  AISP_FIELDS(where, variant, rule, because, action, room, run)
};

/// Above this share of a ceiling the implementation is done and only less work helps.
inline constexpr double kAtTheCeiling = 80;
/// Below this share most of the time goes into something else than what bounds the work.
inline constexpr double kFarBelow = 50;
/// Counted traffic of this many times the compulsory bytes is traffic that could be saved.
inline constexpr double kMuchTraffic = 1.2;

/// Most room first, then the others in the order of contests.
std::vector<Advice> recommendations(std::span<const Figure> figures);

/// The same advice, to be said once: equal but for where, whom and the run it is from. In the order of the
/// first of each; points into `all`.
std::vector<std::vector<const Advice*>> said_once(std::span<const Advice> all);

}  // namespace aisp::analysis
