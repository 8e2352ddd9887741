// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/table.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "aisp/report/format.h"
#include "aisp/report/grid.h"
#include "aisp/report/ladder.h"
#include "aisp/report/summary.h"
#include "aisp/report/text.h"

namespace aisp::report {
namespace {

/// What is shown; each step of `kNarrower` gives up a little more.
struct Layout {
  bool grouped = false;  ///< workloads as headings, not as a column
  bool sizes = true;     ///< as a column; else in a heading for each row
  Detail time = Detail::interval;
  bool baseline = true, ceiling = true, anchor = true, memory = true;
};

const std::function<void(Layout&)> kNarrower[] = {
    [](Layout& l) { l.grouped = true; },       [](Layout& l) { l.time = Detail::spread; },
    [](Layout& l) { l.memory = false; },       [](Layout& l) { l.anchor = false; },
    [](Layout& l) { l.ceiling = false; },      [](Layout& l) { l.baseline = false; },
    [](Layout& l) { l.time = Detail::value; },
};

using Rows = std::vector<CellRow>;

template <class Text>
std::vector<GridCell> column(const Rows& rows, Text text) {
  std::vector<GridCell> cells;
  for (const CellRow& row : rows) cells.push_back({text(row)});
  return cells;
}

bool any_known(const std::vector<GridCell>& cells) {
  return std::ranges::any_of(cells, [](const GridCell& cell) { return cell.text != kUnknownText; });
}

std::string time_text(const VariantRow& row, Detail detail) {
  return detail == Detail::interval ? row.interval : detail == Detail::spread ? row.spread : row.figure;
}

std::string workload_text(const CellRow& row) {
  return row.workload + (row.goal.empty() ? "" : " (" + row.goal + ")");
}

Grid grid_of(const Rows& rows, const Layout& layout) {
  Grid grid;
  if (!layout.grouped) grid.add("workload", Align::left, column(rows, workload_text));
  if (layout.sizes) {
    grid.add(layout.grouped ? "  size" : "size", Align::left,
             column(rows, [&](const CellRow& r) { return (layout.grouped ? "  " : "") + r.parameters; }));
  }
  if (layout.baseline) {
    grid.add("baseline", Align::right, column(rows, [](const CellRow& r) { return r.baseline; }));
  }
  grid.add("best", Align::left, column(rows, [](const CellRow& r) { return r.variant.name; }));
  grid.add("time", Align::left,
           column(rows, [&](const CellRow& r) { return time_text(r.variant, layout.time); }));
  grid.add(ratio_name(rows), Align::left, column(rows, [](const CellRow& r) { return r.variant.speedup; }));
  // Columns nobody could fill are noise: no ceilings measured yet, no anchor in the ladder.
  const auto optional = [&](bool wanted, std::string header, auto text) {
    std::vector<GridCell> cells = column(rows, text);
    if (wanted && any_known(cells)) grid.add(std::move(header), Align::right, std::move(cells));
  };
  optional(layout.ceiling, "ceiling", [](const CellRow& r) { return r.variant.ceiling; });
  optional(layout.anchor, "anchor", [](const CellRow& r) { return r.variant.anchor; });
  optional(layout.memory, "memory", [](const CellRow& r) { return r.variant.memory; });
  std::vector<GridCell> verdicts;
  for (const CellRow& row : rows) verdicts.push_back({row.verdict.text, row.verdict.tone});
  grid.add("verdict", Align::left, std::move(verdicts));
  return grid;
}

std::string hidden_columns(const Layout& layout, const Rows& rows) {
  std::vector<std::string> hidden;
  const auto note = [&](bool shown, const char* name, auto text) {
    if (!shown && any_known(column(rows, text))) hidden.emplace_back(name);
  };
  note(layout.memory, "memory", [](const CellRow& r) { return r.variant.memory; });
  note(layout.anchor, "anchor", [](const CellRow& r) { return r.variant.anchor; });
  note(layout.ceiling, "ceiling", [](const CellRow& r) { return r.variant.ceiling; });
  note(layout.baseline, "baseline", [](const CellRow& r) { return r.baseline; });
  note(layout.time != Detail::value, kTimeIntervals, [](const CellRow& r) { return r.variant.figure; });
  return hidden.empty() ? "" : "Too narrow for: " + listed(hidden) + ".";
}

std::string notes_of(const CellResult& cell, int width, const Paint& paint) {
  std::string text;
  for (const std::string& note : cell.notes)
    for (const std::string& line : wrap("note: " + visible(note), width - 4))
      text += paint.dim("    " + line) + "\n";
  return text;
}

std::string summary_table(const RunRecord& run, int width, const Paint& paint) {
  Rows rows;
  for (const CellResult& cell : run.cells) rows.push_back(cell_row(cell));
  Layout layout;
  Grid grid = grid_of(rows, layout);
  for (const auto& narrow : kNarrower) {
    if (grid.width() <= width) break;
    narrow(layout);
    grid = grid_of(rows, layout);
  }
  const auto squeeze_best = [&] {
    const int before = (layout.grouped ? 0 : 1) + (layout.sizes ? 1 : 0) + (layout.baseline ? 1 : 0);
    grid.squeeze(static_cast<std::size_t>(before), grid.width() - width, 10);
  };
  squeeze_best();
  if (grid.width() > width && layout.grouped) {  // a size that is cut could be that of another row
    layout.sizes = false;
    grid = grid_of(rows, layout);
    squeeze_best();
  }

  std::string text = grid.header(paint);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool first = i == 0 || rows[i].workload != rows[i - 1].workload;
    if (!layout.sizes) {
      text += paint.bold(shorten(workload_text(rows[i]) + "  " + rows[i].parameters, width)) + "\n";
    } else if (layout.grouped && first) {
      text += paint.bold(shorten(workload_text(rows[i]), width)) + "\n";
    }
    text += grid.row(i, paint);
    text += render_reasons(rows[i].reasons, width, paint);
    text += notes_of(run.cells[i], width, paint);
  }
  for (const std::string& line : wrap(hidden_columns(layout, rows), width)) text += paint.dim(line) + "\n";
  return text;
}

}  // namespace

std::string render_table(const RunRecord& run, const TableOptions& options) {
  const Paint paint(options.color);
  const int width = std::max(options.width, 40);
  std::string text;
  if (!run.cells.empty()) {
    if (options.ladder) {
      for (const CellResult& cell : run.cells)
        text += render_ladder(cell, width, paint) + notes_of(cell, width, paint) + "\n";
    } else {
      text += summary_table(run, width, paint) + "\n";
    }
  }
  for (const std::string& line : wrap(summary_line(run), width)) text += line + "\n";
  return text;
}

}  // namespace aisp::report
