// SPDX-License-Identifier: Apache-2.0
/// \file
/// A run, or several, as Markdown for a pull request: the table, what was not accepted and why, and every
/// ladder folded away.
///
///   comment(render_markdown(run));
///
/// Foreign text can neither start markup nor mention a person nor link.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "aisp/core/record.h"
#include "aisp/report/reported_run.h"

namespace aisp::report {

std::string render_markdown(const RunRecord& run);
/// What each run is, one table of all cells, what was not accepted, and every ladder.
std::string render_markdown(std::span<const ReportedRun> runs);

/// Text with everything that Markdown or HTML would interpret escaped.
std::string escape_markdown(std::string_view text);

/// A row of a table.
std::string markdown_line(const std::vector<std::string>& cells);

}  // namespace aisp::report
