// SPDX-License-Identifier: Apache-2.0
/// \file
/// The figure a goal compares, per sample, as a cost: less is better. Speed and throughput cost time per
/// item, latency costs the 99th percentile of its items where it has any.
#pragma once

#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "aisp/core/record.h"

namespace aisp::harness {

/// One variant's cost in each kept round: (attempt, round) to the figure.
using CostByRound = std::map<std::pair<int, int>, double>;

CostByRound costs(const CellResult& cell, const Samples& samples);
/// Why a round was discarded that was repeated without a variant; the variant's name follows. It says nothing
/// about the machine, unlike a declared state rule.
inline constexpr std::string_view kMeasuredAgain = "measured again without ";

/// Rounds with this variant in them that a declared state rule discarded.
int discarded_rounds(const CellResult& cell, const Samples& samples);

/// log(baseline cost / variant cost) of the rounds both have, by attempt and in the order of time.
std::vector<std::vector<double>> log_ratios(const CostByRound& baseline, const CostByRound& variant);

std::vector<double> values_of(const CostByRound& costs);
/// The same, one vector for each attempt, in the order of time.
std::vector<std::vector<double>> values_by_attempt(const CostByRound& costs);

}  // namespace aisp::harness
