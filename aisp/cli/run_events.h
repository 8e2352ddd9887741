// SPDX-License-Identifier: Apache-2.0
/// \file
/// `aisp run --events`: what happens while it measures, as lines of JSON on stderr, for programs that watch.
/// Says nothing where the flag was not given.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "aisp/cli/command.h"
#include "aisp/core/record.h"
#include "aisp/harness/plan.h"
#include "aisp/report/progress_event.h"

namespace aisp::cli {

class RunEvents {
 public:
  explicit RunEvents(const Arguments& arguments) : enabled_(arguments.has("events")) {}

  void run_began(const RunRecord& record, std::size_t cells);
  /// `index` counts from 0.
  void cell_began(std::size_t index, const harness::PlannedCell& cell);
  /// Told at most five times a second.
  void moved(double share, const std::string& what);
  void looked(const CellResult& cell, const RunConfig& config);
  void cell_ended(const CellResult& cell);
  void run_ended(const RunRecord& record, int exit_code);

 private:
  using Time = std::chrono::steady_clock;
  void tell() const;

  bool enabled_;
  report::ProgressEvent now_;  ///< what stays the same from one event to the next stays in it
  Time::time_point told_ = Time::time_point::min();
};

/// --events, of the commands that measure a run.
Flag events_flag();

}  // namespace aisp::cli
