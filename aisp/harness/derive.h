// SPDX-License-Identifier: Apache-2.0
/// \file
/// From raw samples and evidence to estimates, findings and verdicts: a pure function, so that the store can
/// check that a published verdict follows from its samples, and old results can be judged by better guards.
#pragma once

#include <optional>

#include "aisp/core/config.h"
#include "aisp/core/record.h"
#include "aisp/stats/sequential.h"

namespace aisp::harness {

/// Fills every derived field of the cell: estimates, ratios, sampling and floor evidence, findings, validity.
/// Reads samples, rounds, attempts, memory and recorded evidence; changes none of them.
void derive(CellResult& cell, const RunConfig& config);

/// How much less the second variant needs than the first, by what the cell's goal compares; both must have
/// been measured in the same rounds. Nothing where no ratio follows from the samples.
std::optional<RatioEstimate> compare_pair(const CellResult& cell, const VariantResult& first,
                                          const VariantResult& second, const stats::SequentialPlan& plan,
                                          double equivalence);

/// The half-width of the widest interval that matters (each step against the baseline), as a share of the
/// ratio; infinite while an interval is missing.
double widest_half_width(const CellResult& cell);

}  // namespace aisp::harness
