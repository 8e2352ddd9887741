// SPDX-License-Identifier: Apache-2.0
/// \file
/// Runs a registered programmed workload through the whole path: coordinator, worker processes, statistics.
///
///   const CellResult cell = measured("truth/twice", {.precision = 0.02});
///   EXPECT_TRUE(holds(*cell.find("fast")->speedup, 2.0));
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "aisp/core/registry.h"
#include "aisp/harness/coordinator.h"

namespace aisp::known_truth {

/// Enough rounds for a narrow interval in about a second on a busy machine.
inline RunConfig quick_config() {
  RunConfig config;
  config.looks = {24, 48, 96, 192};
  config.cell_seconds = 4;
  config.pin = false;  // tests of several programs run at once: pinned, they would queue for one core
  return config;
}

inline CellResult measured(const std::string& id, const RunConfig& config) {
  const Workload* workload = Registry::instance().find(id);
  if (workload == nullptr) throw std::invalid_argument("no workload " + id);
  Params params;
  for (const Axis& axis : workload->axes) params.set(axis.name, axis.values.front());
  const harness::PlannedCell cell{harness::describe(*workload), params};
  Ceilings none;
  const Result<CellResult> result =
      harness::measure_cell({.cell = cell, .config = config, .ceilings = none, .config_hash = "test"});
  if (!result) throw std::runtime_error(result.error().message);
  return *result;
}

/// Whether the interval, widened by its own half-width, holds the truth. An interval of 95 % may miss by
/// right; one twice as wide misses less than once in ten thousand. `overshoot` is the share by which the
/// end of a spin and the call around it lengthen it.
inline testing::AssertionResult holds(const RatioEstimate& estimate, double truth, double overshoot = 1e-3) {
  const double half = (estimate.high - estimate.low) / 2 + overshoot * truth;
  const bool inside = estimate.low - half <= truth && truth <= estimate.high + half;
  return (inside ? testing::AssertionSuccess() : testing::AssertionFailure())
         << "ratio " << estimate.ratio << " [" << estimate.low << ", " << estimate.high << "] by "
         << estimate.method << " over " << estimate.rounds << " rounds, truth " << truth;
}

inline const Finding& finding(const VariantResult& variant, const std::string& guard) {
  for (const Finding& f : variant.findings) {
    if (f.guard == guard) return f;
  }
  throw std::invalid_argument("no finding of " + guard);
}

}  // namespace aisp::known_truth
