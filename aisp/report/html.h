// SPDX-License-Identifier: Apache-2.0
/// \file
/// A run, or several, as one self-contained HTML file: readable without scripts, without the network, in
/// light, dark and print, on a desk and on a telephone.
///
///   write_file("report.html", render_html(run));
///
/// What a reader wants first stands first: verdicts, then one section per cell with its ladder, its drawings
/// and everything the guards said. A content security policy forbids scripts and requests, should an escape
/// ever be forgotten. Not the dashboard: it shows what it was made of and nothing that came later.
#pragma once

#include <span>
#include <string>

#include "aisp/core/record.h"
#include "aisp/report/reported_run.h"

namespace aisp::report {

std::string render_html(const RunRecord& run);
/// What each run is, one table of all cells, and every cell; anchors are numbered through.
std::string render_html(std::span<const ReportedRun> runs);

}  // namespace aisp::report
