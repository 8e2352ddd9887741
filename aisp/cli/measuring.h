// SPDX-License-Identifier: Apache-2.0
/// \file
/// Measures planned cells and stores each as it completes. Shared by the commands that measure: run, replay,
/// compare. A result that could not be stored is in the journal, or lost where that failed too; it is said at
/// once, the run goes on, and the worst is reported last.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aisp/cli/command.h"
#include "aisp/cli/planning.h"
#include "aisp/cli/program_files.h"
#include "aisp/cli/run_events.h"
#include "aisp/cli/storage_problems.h"
#include "aisp/cli/terminal.h"
#include "aisp/core/record.h"
#include "aisp/core/result.h"
#include "aisp/harness/coordinator.h"
#include "aisp/harness/plan.h"
#include "aisp/store/run_lock.h"
#include "aisp/store/store.h"

namespace aisp::cli {

/// "20261115-142301-9f3a": the time and a little luck.
std::string new_run_id();

class Measuring {
 public:
  Measuring(const Arguments& arguments, store::Store& results, Progress& progress)
      : arguments_(arguments), results_(results), progress_(progress), events_(arguments) {}

  /// Keeps others from measuring or pruning the run; begin() does it for a new one.
  Status hold(const std::string& run);
  /// A new run with its manifest, already in the store.
  Result<RunRecord> begin(const RunConfig& config);
  /// Measures the cells into the record. An Error is about a cell that cannot be measured here (it does not
  /// fit, say), not about what a workload did; the other cells are measured all the same.
  Status measure(RunRecord& record, const std::vector<harness::PlannedCell>& cells);
  /// Writes the end of the run: finished, interrupted by a signal, or out of time; and what became of it.
  /// `verdict`: what a comparison of its cells says, in place of what they say one by one.
  void end(RunRecord& record, std::optional<int> verdict = {});
  /// What the run ends with: the worst of its cells, of those that were refused, of a spent budget; a signal
  /// goes before all of them.
  int exit_code(const RunRecord& record, std::optional<int> verdict = {}) const;

  const std::optional<Error>& storage_problem() const { return storage_problems_.worst(); }
  /// The time budget ended before the last cell was started.
  bool out_of_time() const { return out_of_time_; }

 private:
  void keep(const Status& stored);
  Result<CellResult> measure_one(const RunRecord& record, const harness::PlannedCell& cell,
                                 const RunConfig& config, const Ceilings& ceilings,
                                 const harness::CellProgress& progress);

  const Arguments& arguments_;
  store::Store& results_;
  Progress& progress_;
  RunEvents events_;
  std::optional<ProgramFiles> programs_;  ///< kept for all cells, so that each file is read once
  std::optional<store::RunLock> lock_;
  StorageProblems storage_problems_;
  int refused_code_ = 0;  ///< the worst of the cells that cannot be measured here
  bool out_of_time_ = false;
};

}  // namespace aisp::cli
