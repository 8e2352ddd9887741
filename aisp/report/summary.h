// SPDX-License-Identifier: Apache-2.0
/// \file
/// The run in one line: how many cells are valid, whether the calibration held, under which policy and worker
/// mode the verdicts were given, and what could not be known here.
///
///   summary_line(run)  // "8 cells: 6 valid, 1 invalid, 1 failed; A/A holds in 8 of 8; policy standard; ..."
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "aisp/core/record.h"

namespace aisp::report {

struct RunSummary {
  int cells = 0;
  std::array<int, 4> by_validity{};  ///< indexed by Validity, as the rows show it
  /// Cells without a verdict; not among those above.
  int interrupted = 0, running = 0, refused = 0, skipped = 0;
  int rejected_variants = 0;  ///< invalid or failed variants, the rows' own included
  int skipped_variants = 0;
  /// Which of the valid cells have a best variant that cannot be told from the baseline.
  std::vector<std::string> inconclusive;
  std::string busy;     ///< what was going on before the run; empty = nothing worth telling
  int aa_measured = 0;  ///< cells with an A/A calibration
  int aa_called = 0;    ///< of them, with a difference between the baseline and itself
  int aa_wide = 0;      ///< of them, too wide to tell
  std::string aa_only;  ///< the interval, where there is one cell
  std::vector<std::string> worker_modes;
  std::vector<std::string> unknown;  ///< guards whose fact could not be established, each once
  std::vector<std::string> waived;   ///< guards whose rejection the user accepted
};

/// What the baseline measured against itself says about a cell.
enum class Calibration : std::uint8_t {
  holds,     ///< no difference, and one of practical size would have shown
  too_wide,  ///< a difference of practical size could hide in the interval, or there is none
  called,    ///< a difference that is not there
};
Calibration calibration_of(const RatioEstimate& aa, double equivalence);

RunSummary summarise(const RunRecord& run);
std::string aa_text(const RunSummary& summary);
std::string summary_line(const RunRecord& run);

/// "a, b and c".
std::string listed(const std::vector<std::string>& words);

}  // namespace aisp::report
