// SPDX-License-Identifier: Apache-2.0
/// \file
/// How time shrinks with threads or ranks, read both ways. Amdahl: the problem stays, and the part that stays
/// serial limits the speed-up to one over its share. Gustafson: the problem grows with the team, and the
/// serial share is what keeps the scaled speed-up below the number of members.
///
///   for (const TeamScaling& each : team_scaling(figures)) each.serial;   // 0.02 [0.01, 0.03]
///
/// Shares come from measured times alone; each size of the team gives one, and their range is the interval.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "aisp/analysis/sweep.h"

namespace aisp::analysis {

struct TeamPoint {
  std::int64_t members = 0;
  Estimate time_ns;
  Estimate speedup;       ///< over one member; scaled by the work where the problem grows
  double efficiency = 0;  ///< of it, for each member
  AISP_FIELDS(members, time_ns, speedup, efficiency)
};

struct TeamScaling {
  Where where;  ///< `parameters` are those that stay
  std::string variant, axis;
  std::string law;  ///< "Amdahl" or "Gustafson"
  /// Gustafson: what stays as the team grows; one variant may have a line for each of several.
  std::optional<double> work_per_member;
  std::string work_unit;  ///< of it: "items", "operations" or "bytes"
  std::vector<TeamPoint> points;
  /// Share; below zero where the team does better than its number. None where no time with a larger team is
  /// surely another than with one.
  std::optional<Estimate> serial;
  std::optional<Estimate> limit;  ///< Amdahl: the speed-up that no team exceeds, for a share between 0 and 1
  std::string needs;
  AISP_FIELDS(where, variant, axis, law, work_per_member, work_unit, points, serial, limit, needs)
};

/// Along `threads` and `ranks`: with all other parameters and the work alike, and with as much work for each
/// member, where one other parameter, or none, grows with the team.
std::vector<TeamScaling> team_scaling(std::span<const Figure> figures);

}  // namespace aisp::analysis
