// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/html.h"

#include "aisp/report/html_cell.h"
#include "aisp/report/html_parts.h"
#include "aisp/report/summary.h"
#include "aisp/report/svg.h"

namespace aisp::report {
namespace {

std::string header(const RunRecord& run) {
  const RunSummary summary = summarise(run);
  return "<header>\n<h1>aisp run <code>" + escape_markup(run.id) + "</code></h1>\n<p class=\"lead\">" +
         escape_markup(run.manifest.hardware) + "</p>\n" + html_tally(summary) + "<dl>\n" +
         html_run_entries(run, summary) + "</dl>\n</header>\n";
}

std::string summary_table(const RunRecord& run) {
  std::vector<SummaryRow> rows;
  for (const CellResult& cell : run.cells)
    rows.push_back({.cell = &cell, .equivalence = run.manifest.config.equivalence, .where = ""});
  return html_summary_table(rows, "");
}

std::string machine(const RunRecord& run) {
  if (run.manifest.facts.empty()) return "";
  return "<section>\n<h2>Machine and program</h2>\n" + html_machine(run) + "</section>\n";
}

}  // namespace

std::string render_html(const RunRecord& run) {
  std::string html = html_head("aisp " + run.id) + header(run) + "<main>\n";
  html += run.cells.empty() ? "<p>This run has no cells.</p>\n" : summary_table(run);
  for (std::size_t i = 0; i < run.cells.size(); ++i)
    html += html_cell(run.cells[i], i, run.manifest.config.equivalence);
  return html + machine(run) + "</main>\n<footer>" + escape_markup(summary_line(run)) +
         "</footer>\n</body>\n</html>\n";
}

}  // namespace aisp::report
