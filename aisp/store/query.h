// SPDX-License-Identifier: Apache-2.0
/// \file
/// Questions one can ask a store without loading whole runs, and the short answers to them.
///
///   Result<std::vector<RunSummary>> page = store.list({.limit = 20});
///   Result<std::vector<RunSummary>> next = store.list({.limit = 20, .before = page->back().id});
///   Result<std::vector<CellSummary>> cells = store.cells({.workload = "ch07/transpose", .hardware = key});
///
/// Answered from indexed columns: the cost follows the length of the answer, not the size of the store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "aisp/core/verdict.h"

namespace aisp::store {

/// What became of a run as a whole, written down with its end. Unknown of a run that was killed, and of one
/// that an older program stored.
struct RunOutcome {
  std::optional<int> exit_code;  ///< of its cells, the signal or the spent budget: what `aisp run` ends with
  std::optional<int> rejected;   ///< variants that are invalid or failed
};

struct RunSummary {
  std::string id;
  std::string started;
  std::string status;  ///< "finished", "running" while somebody measures it, "interrupted", ...
  std::string command;
  std::string hardware;
  int cells = 0;    ///< started or finished
  int invalid = 0;  ///< of them, invalid or failed
  RunOutcome outcome;
};

/// Runs, newest first. Empty text does not restrict.
struct RunQuery {
  std::size_t limit = 50;
  std::string before;    ///< run id: only runs stored before this one
  std::string workload;  ///< only runs with a finished cell of this workload
  std::string hardware;
};

struct CellSummary {
  std::int64_t seq = 0;  ///< for Store::load_cell() and CellQuery::before
  std::string run;
  std::string workload;
  std::string parameters;
  std::string device;
  std::string hardware;
  std::string finished;  ///< UTC
  Validity validity = Validity::unproven;
};

/// Finished cells, newest first. Empty text does not restrict.
struct CellQuery {
  std::size_t limit = 1000;
  std::int64_t before = 0;  ///< only cells stored before this one; 0 = from the newest
  std::string workload;     ///< exact, or every workload of a chapter with "ch09/"
  std::string parameters;
  std::string hardware;
};

}  // namespace aisp::store
