// SPDX-License-Identifier: Apache-2.0
/// \file
/// What `aisp run --events` says while it measures: one line of JSON for each thing that happened. Whoever
/// started it reads the lines back with the same struct.
///
///   fputs(progress_line({.event = "cell", .cell = 1, .cells = 4, .workload = "ch07/transpose"}));
///   if (const auto event = read_progress_line(line)) ...   // nothing: some other text
///
/// Not the result, which is in the store: a reader that misses lines has lost nothing but the view.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aisp/core/fields.h"
#include "aisp/core/record.h"

namespace aisp::report {

/// A variant as it stood when the data were looked at.
struct LookedVariant {
  std::string name;
  Rung rung = Rung::step;
  std::string skipped;               ///< why it does not run here; empty = it runs
  std::optional<Estimate> ratio;     ///< to the baseline; nothing for the baseline, and while there is none
  std::optional<Validity> validity;  ///< once the cell is finished: before, evidence is missing
  AISP_FIELDS(name, rung, skipped, ratio, validity)
};

struct ProgressEvent {
  std::string event;  ///< "run", "cell", "rounds", "look", "cell_finished" or "run_finished"
  std::string run;
  int cell = 0, cells = 0;  ///< which of how many; the first is 1
  std::string workload, parameters, device;
  double share = 0;                     ///< of the whole run, at its longest
  std::string what;                     ///< a few words: "48 rounds", "memory of tiled"
  int rounds = 0, look = 0, looks = 0;  ///< rounds so far; the look just taken, of how many at most
  double precision = 0;                 ///< the half-width at which sampling stops
  std::string baseline;                 ///< of the cell that is looked at
  std::vector<LookedVariant> variants;
  std::string status;            ///< of a finished cell why it stopped, of a finished run how it ended
  std::string validity;          ///< of a finished cell
  std::optional<int> exit_code;  ///< of a finished run
  AISP_FIELDS(event, run, cell, cells, workload, parameters, device, share, what, rounds, look, looks,
              precision, baseline, variants, status, validity, exit_code)
};

/// With its line end.
std::string progress_line(const ProgressEvent& event);
/// Nothing where the line is not such an event.
std::optional<ProgressEvent> read_progress_line(std::string_view line);

/// Of a cell that was looked at, or that is finished and so judged, with the ratios that the goal compares.
std::vector<LookedVariant> looked_variants(const CellResult& cell, bool judged);

}  // namespace aisp::report
