// SPDX-License-Identifier: Apache-2.0
/// \file
/// Measures planned cells and stores each as it completes. Shared by the commands that measure: run, replay,
/// compare. A result that could not be stored is in the journal; the run goes on and the problem is reported
/// last.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aisp/cli/command.h"
#include "aisp/cli/terminal.h"
#include "aisp/core/record.h"
#include "aisp/core/result.h"
#include "aisp/harness/plan.h"
#include "aisp/store/store.h"

namespace aisp::cli {

class Measuring {
 public:
  Measuring(const Arguments& arguments, store::Store& results, Progress& progress)
      : arguments_(arguments), results_(results), progress_(progress) {}

  /// A new run with its manifest, already in the store.
  Result<RunRecord> begin(const RunConfig& config);
  /// Measures the cells into the record. An Error is about a cell that cannot be measured here (it does not
  /// fit, say), not about what a workload did; the other cells are measured all the same.
  Status measure(RunRecord& record, const std::vector<harness::PlannedCell>& cells);
  /// Writes the end of the run: finished, or interrupted by a signal or the time budget.
  void end(RunRecord& record);

  const std::optional<Error>& storage_problem() const { return storage_problem_; }

 private:
  void keep(const Status& stored);

  const Arguments& arguments_;
  store::Store& results_;
  Progress& progress_;
  std::optional<Error> storage_problem_;
  bool incomplete_ = false;
};

/// The cells a configuration asks for, plugins included.
Result<std::vector<harness::PlannedCell>> cells_of(RunConfig& config);

}  // namespace aisp::cli
