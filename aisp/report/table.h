// SPDX-License-Identifier: Apache-2.0
/// \file
/// The table `aisp run` prints: one row per cell, reasons under the rows that were not accepted, one summary
/// line.
///
///   out << render_table(run, {.color = terminal, .width = columns});
///   out << render_table(run, {.ladder = true});   // every variant of every cell
///
/// On narrow terminals it first names workloads above their rows, then writes intervals shorter, then leaves
/// columns out and says which. It never leaves out a row, a verdict or the interval of a speed-up.
#pragma once

#include <string>

#include "aisp/core/record.h"

namespace aisp::report {

struct TableOptions {
  bool color = false;
  int width = 120;      ///< of the terminal, in columns; below 40 is taken as 40
  bool ladder = false;  ///< every variant of each cell instead of the best
};

std::string render_table(const RunRecord& run, const TableOptions& options);

}  // namespace aisp::report
