// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/history.h"
#include "aisp/report/history_rows.h"
#include "aisp/report/markdown.h"

namespace aisp::report {

std::string render_history_markdown(std::span<const ExaminedSeries> examined, const std::string& hardware) {
  const HistoryCounts counts = count_changes(examined);
  std::string text = "### Performance history\n\n" + escape_markdown(hardware) + "\n\n";
  text += (counts.confirmed > 0 ? "**" + summary_of(counts) + ".**" : summary_of(counts) + ".") + "\n";
  const std::vector<HistoryRow> rows = history_rows(examined, false);
  if (rows.empty()) return text;
  text += "\n| workload | size | variant | history | level | change | between | verdict |\n";
  text += "|:--|:--|:--|:--|:--|--:|:--|:--|\n";
  for (const HistoryRow& row : rows) {
    text += "|";
    for (const std::string& cell : {row.workload, row.parameters, row.variant, row.line, row.levels,
                                    row.change, row.place, row.verdict.text})
      text += " " + escape_markdown(cell) + " |";
    text += "\n";
  }
  return text + "\nA change is suspected until both revisions were measured side by side.\n";
}

}  // namespace aisp::report
