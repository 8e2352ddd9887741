// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the forms of `aisp compare` that measure have in common: the cells are measured and stored as a run,
/// then each is turned into lines of the answer.
#pragma once

#include <functional>
#include <vector>

#include "aisp/cli/command.h"
#include "aisp/cli/comparison.h"
#include "aisp/core/config.h"
#include "aisp/harness/plan.h"
#include "aisp/stats/sequential.h"

namespace aisp::cli {

/// Adds the lines of one cell; `planned` is what was asked for.
using AddLines = std::function<void(const CellResult& cell, const harness::PlannedCell& planned,
                                    const stats::SequentialPlan& plan, ComparisonAnswer& answer)>;

/// Measures, prints the answer and returns the exit code. What could be measured is answered even when a cell
/// was refused or the time ran out; the exit code then says that this is not all.
int compare_measured(const Arguments& arguments, const RunConfig& config,
                     const std::vector<harness::PlannedCell>& cells, ComparisonAnswer answer,
                     const AddLines& add_lines);

}  // namespace aisp::cli
