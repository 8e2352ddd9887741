// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/grid.h"
#include "aisp/report/history.h"
#include "aisp/report/history_rows.h"

namespace aisp::report {

std::string render_history(std::span<const ExaminedSeries> examined, bool all, bool color) {
  const Paint paint(color);
  const std::vector<HistoryRow> rows = history_rows(examined, all);
  std::vector<GridCell> workload, size, variant, points, line, levels, change, place, verdict;
  for (const HistoryRow& row : rows) {
    workload.push_back({row.workload});
    size.push_back({row.parameters});
    variant.push_back({row.variant});
    points.push_back({row.points});
    line.push_back({row.line});
    levels.push_back({row.levels});
    change.push_back({row.change});
    place.push_back({row.place});
    verdict.push_back({row.verdict.text, row.verdict.tone});
  }
  std::string text;
  if (!rows.empty()) {
    Grid grid;
    grid.add("workload", Align::left, workload);
    grid.add("size", Align::left, size);
    grid.add("variant", Align::left, variant);
    grid.add("runs", Align::right, points);
    grid.add("history", Align::left, line);
    grid.add("level", Align::left, levels);
    grid.add("change", Align::right, change);
    grid.add("between", Align::left, place);
    grid.add("verdict", Align::left, verdict);
    text = grid.header(paint);
    for (std::size_t i = 0; i < rows.size(); ++i) text += grid.row(i, paint);
  }
  return text + summary_of(count_changes(examined)) + ".\n";
}

}  // namespace aisp::report
