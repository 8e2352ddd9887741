// SPDX-License-Identifier: Apache-2.0
/// \file
/// Geometric means of speed-ups, with an interval. The one mean of ratios that does not depend on which side
/// is the baseline; it has no meaning for values that are zero or negative, so it refuses them.
///
///   Result<double> g = geometric_mean(ratios);
///   Result<GeometricMean> suite = suite_geometric_mean(cells, 0.05, seed);
///
/// Two intervals, two questions. geometric_mean_interval resamples the values: would another such set of
/// workloads say the same? suite_geometric_mean resamples attempts, then rounds, within each workload: would
/// the same workloads, measured again, say the same?
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "aisp/core/result.h"
#include "aisp/stats/compare.h"
#include "aisp/stats/sign_interval.h"

namespace aisp::stats {

struct GeometricMean {
  double value = 0;
  std::optional<Interval> interval;  ///< nothing for a single value
};

Result<double> geometric_mean(std::span<const double> values);

/// BCa bootstrap over the values, 2,000 replicates; deterministic for a seed.
Result<GeometricMean> geometric_mean_interval(std::span<const double> values, double alpha,
                                              std::uint64_t seed);

/// Geometric mean of the cells' ratios (exp of the median log ratio of each), percentile bootstrap over
/// attempts and then rounds of each cell, 1,000 replicates.
Result<GeometricMean> suite_geometric_mean(std::span<const PairedRounds> cells, double alpha,
                                           std::uint64_t seed);

}  // namespace aisp::stats
