// SPDX-License-Identifier: Apache-2.0
/// \file
/// Every variant of one cell, as rows of a terminal table: the ladder a reader climbs from the baseline to
/// the best. Part of render_table() (table.h); skipped variants keep their row and say why they did not run.
///
///   render_ladder(cell, 120, Paint(false))
#pragma once

#include <string>
#include <vector>

#include "aisp/core/record.h"
#include "aisp/report/grid.h"

namespace aisp::report {

std::string render_ladder(const CellResult& cell, int width, const Paint& paint);

/// One wrapped, indented paragraph per reason.
std::string render_reasons(const std::vector<Reason>& reasons, int width, const Paint& paint);

/// How the cell was measured: "cpu, hot, memory-bound, 96 rounds in 3 attempts, stopped: precise".
std::string cell_facts(const CellResult& cell);

}  // namespace aisp::report
