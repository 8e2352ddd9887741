// SPDX-License-Identifier: Apache-2.0
/// \file
/// What variants would take at a size that was not measured, each from the sweep of its own that varies one
/// of the parameters asked for and agrees in all others.
///
///   for (const SizeForecast& f : forecasts(figures, {{"n", 6000}})) f.time.value;
///
/// A size that two of its sweeps cross is told by the one that knows it better.
/// Of two parameters asked for that were both not measured nothing is said: no sweep goes through that point.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "aisp/analysis/model.h"
#include "aisp/analysis/sweep.h"

namespace aisp::analysis {

struct SizeForecast {
  Where where;  ///< with the size asked for
  std::string variant;
  bool anchor = false;
  Forecast time;
  Model model;
  std::optional<Estimate> memory_bytes;  ///< where a model, or one value at every size, gives it
};

std::vector<SizeForecast> forecasts(std::span<const Figure> figures,
                                    const std::vector<std::pair<std::string, std::int64_t>>& size);

/// What a constraint on latency looks at: the 99th percentile where that is the goal, else the time of a
/// call.
std::optional<Estimate> latency_of(const Figure& figure);

}  // namespace aisp::analysis
