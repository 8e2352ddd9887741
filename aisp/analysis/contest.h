// SPDX-License-Identifier: Apache-2.0
/// \file
/// Figures that may be compared: variants of one workload at one size, on one device of one machine, with
/// the same state of the caches. Every analysis among variants begins here.
///
///   for (const Contest& contest : contests(figures)) rank(contest.entrants);
///
/// Who may not take part is listed with the reason; nothing vanishes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "aisp/core/figure.h"

namespace aisp::analysis {

/// What a contest is about.
struct Where {
  std::string hardware, workload, parameters, device;
  CacheMode cache = CacheMode::hot;
  AISP_FIELDS(hardware, workload, parameters, device, cache)
  auto operator<=>(const Where&) const = default;
};
Where where(const Figure& figure);

/// What a contest without entrants needs.
inline constexpr const char* kNeedsValid = "a valid result";
/// What a result without energy needs: counters are read in the audit alone.
inline constexpr const char* kNeedsEnergy =
    "an audited run (without --no-energy) on a machine with a readable energy counter";

struct LeftOut {
  std::string variant;
  std::string why;         ///< "it is unproven", "it is informational"
  bool not_valid = false;  ///< meant to compete, and may once it is valid; for rules, readers have `why`
  std::string run = {};    ///< where it was measured; for rules too
  AISP_FIELDS(variant, why)
};

struct Contest {
  Where where;
  std::vector<const Figure*> entrants;  ///< valid, and meant to compete; anchors among them
  std::vector<LeftOut> left_out;
  const Figure* baseline = nullptr;  ///< among the entrants; null where it is not valid
};

/// In the order of `Where`. Points into `figures`, which must outlive the answer.
std::vector<Contest> contests(std::span<const Figure> figures);

/// How many cells the entrants are of: a variant that was measured again alone is of a later one.
std::size_t cells_of(const Contest& contest);

/// Only entrants of one cell: their times belong to the same rounds. The cell with most of them, the latest
/// of equals; the others are left out.
Contest of_one_cell(const Contest& contest);

/// Only entrants whose time is known as a share of that of one baseline, measured in the same rounds: gains
/// carry over from run to run, times do not. Nobody where the goal is another figure than time; the others
/// are left out.
Contest over_one_baseline(const Contest& contest);

/// The time of an entrant of over_one_baseline() as a share of its baseline's: 0.5 is twice as fast.
Estimate share_of_baseline(const Figure& figure);

}  // namespace aisp::analysis
