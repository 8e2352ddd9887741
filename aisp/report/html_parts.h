// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the page of one run and the page of several have in common: the head of the document, the counts,
/// what is told of a run, and the table of all cells.
///
///   std::string page = html_head("aisp " + run.id) + ...;
///   page += html_summary_table(rows, "");
#pragma once

#include <string>
#include <vector>

#include "aisp/core/record.h"
#include "aisp/report/summary.h"

namespace aisp::report {

/// Up to <body>.
std::string html_head(const std::string& title);

/// Badges: so many cells, so many of each verdict.
std::string html_tally(const RunSummary& summary);

/// A term and what it is, for a <dl>; nothing where there is nothing to tell.
std::string html_entry(const char* name, const std::string& html);
/// The entries from the date to the program's version.
std::string html_run_entries(const RunRecord& run, const RunSummary& summary);
/// What was established of the machine and the program, as a <dl>.
std::string html_machine(const RunRecord& run);

/// A row of the table of all cells. Its place in the table is the index of its section, html_cell().
struct SummaryRow {
  const CellResult* cell = nullptr;
  double equivalence = 0;
  std::string where;  ///< what stands in the column of the table's own, as HTML
};

/// `where` names a column that tells rows of several runs apart; empty: there is none.
std::string html_summary_table(const std::vector<SummaryRow>& rows, const char* where);

}  // namespace aisp::report
