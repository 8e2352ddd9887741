// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether a variant is slower when it is the first of its round. All variants of a round get the same
/// inputs, so one that takes its answers from another's work has nothing to take when its turn comes first.
#pragma once

#include <optional>
#include <string>

#include "aisp/core/record.h"
#include "aisp/harness/figures.h"

namespace aisp::harness {

/// How a round's order names the ceiling measured beside the variants.
inline constexpr const char* kCeilingSlot = "ceiling";

/// The variant that had the first turn of a round; empty if the order names none of the cell's.
std::string first_of(const CellResult& cell, const RoundRecord& round);

/// The fastest of its times as the first variant of a round, over the median of its times after
/// another variant: about 1 or less for honest code, however noisy the machine. 1 where nothing is to be
/// gained: for the baseline, and where there is no other variant. Nothing where it had too few turns of
/// either kind.
std::optional<double> first_in_round_slowdown(const CellResult& cell, const VariantResult& variant,
                                              const CostByRound& costs);

}  // namespace aisp::harness
