// SPDX-License-Identifier: Apache-2.0
/// \file
/// What one pays for what one gets: along the front from the fastest variant to the slowest, each step with
/// what it gives up in time and what it saves in the other respects.
///
///   for (const Exchange& step : exchanges(front)) ...   // "1.5x the time for 0.25x the memory"
///
/// Ratios of what the front compared (pareto.h): times of one run, or shares of a baseline's, errors by
/// their two digits; of memory 1 where the device cannot tell two apart. A respect in which one of them has
/// nothing (no memory at all) has none.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aisp/analysis/pareto.h"

namespace aisp::analysis {

struct Exchange {
  std::string from, to;
  Estimate time;  ///< of `to` over that of `from`; the interval of two that are not paired
  std::optional<double> memory;
  std::optional<Estimate> energy;  ///< by their counter; a point where its uncertainty is unknown for one
  std::optional<double> error;
  AISP_FIELDS(from, to, time, memory, energy, error)
};

/// Empty for a front of one.
std::vector<Exchange> exchanges(const Front& front);

}  // namespace aisp::analysis
