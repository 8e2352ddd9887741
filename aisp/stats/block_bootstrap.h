// SPDX-License-Identifier: Apache-2.0
/// \file
/// Interval of a median when neighbouring rounds are alike: resample runs of rounds, not single rounds.
///
///   auto i = block_bootstrap_median(log_ratios_by_attempt, {.alpha = 0.01, .lag1 = 0.4, .seed = 1});
///
/// Moving blocks within each attempt, percentile interval. Deterministic: the same values, options and seed
/// give the same interval on every machine. Approximate, and too narrow on few rounds, which is why
/// compare.h never lets it narrow the sign interval.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "aisp/stats/sign_interval.h"

namespace aisp::stats {

struct BlockBootstrap {
  double alpha = 0.05;
  double lag1 = 0;  ///< estimated autocorrelation; sets the block length
  std::uint64_t seed = 1;
  int replicates = 2000;  ///< 2,000 put 10 in the tail at level 0.01; more costs time and moves little
};

/// Block length for a series of n with this lag-1 autocorrelation: 1 for none, growing with n^(1/3).
int block_length(int n, double lag1);

/// Nothing for fewer than 4 values, NaN, or alpha outside (0, 1).
std::optional<Interval> block_bootstrap_median(std::span<const std::vector<double>> attempts,
                                               const BlockBootstrap& options);

}  // namespace aisp::stats
