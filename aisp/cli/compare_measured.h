// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the forms of `aisp compare` that measure have in common: the cells are measured and stored as a run,
/// then each is turned into lines of the answer.
#pragma once

#include <functional>
#include <optional>
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

struct MeasuredPairs {
  ComparisonAnswer answer;
  Status measured = Ok{};                ///< the error of a cell that could not be measured here
  std::optional<Error> storage_problem;  ///< what was measured is in the journal
  bool out_of_time = false;
};

/// Measures and stores; prints nothing but progress. An Error: nothing was measured at all.
Result<MeasuredPairs> measure_pairs(const Arguments& arguments, const RunConfig& config,
                                    const std::vector<harness::PlannedCell>& cells, ComparisonAnswer answer,
                                    const AddLines& add_lines);

/// Prints the answer and returns the exit code. What could be measured is answered even when a cell was
/// refused or the time ran out; the exit code then says that this is not all.
int print_measured(const Arguments& arguments, const Result<MeasuredPairs>& pairs);

}  // namespace aisp::cli
