// SPDX-License-Identifier: Apache-2.0
/// \file
/// Energy by variant: joules for a call and an item, items for a joule, and the mean power while they were
/// counted.
///
///   for (const Consumption& each : consumption(figures)) each.rows;
///
/// From energy counters alone: a reading of watts now and then, times a time, is no measurement of energy.
/// Intervals are of the counter, which moves in steps; nothing of what another run would show is in them. A
/// point where its uncertainty was not recorded.
///
/// Watts are the counter's own, and not joules over the time of a call: energy is counted over calls that
/// follow each other, and what is timed may be a cold call, or one with the time of its launch taken off.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "aisp/analysis/contest.h"

namespace aisp::analysis {

struct EnergyRow {
  std::string variant;
  bool anchor = false;
  Estimate joules_per_call;
  std::optional<Estimate> joules_per_item, items_per_joule;  ///< where the work is counted in items
  std::optional<Estimate> watts;                             ///< mean, while calls followed each other
  AISP_FIELDS(variant, anchor, joules_per_call, joules_per_item, items_per_joule, watts)
};

struct Consumption {
  Where where;
  std::vector<EnergyRow> rows;  ///< least energy for a call first
  std::vector<LeftOut> left_out;
  std::string needs;  ///< where there are none
  AISP_FIELDS(where, rows, left_out, needs)
};

std::vector<Consumption> consumption(std::span<const Figure> figures);

}  // namespace aisp::analysis
