// SPDX-License-Identifier: Apache-2.0
#include "aisp/tui/list_page.h"

#include <algorithm>

#include "aisp/tui/view.h"

namespace aisp::tui {
namespace {

constexpr int kMarks = 3;  // ">", the mark and a space

report::Grid grid_of(const std::vector<Column>& columns, int rank) {
  report::Grid grid;
  for (const Column& column : columns)
    if (column.rank <= rank) grid.add(column.header, column.align, column.cells);
  return grid;
}

/// Cuts columns of one rank to what they need at least, as far as the width asks for it.
void cut(report::Grid& grid, const std::vector<Column>& columns, int shown, int rank, int width) {
  std::size_t index = 0;
  for (const Column& column : columns) {
    if (column.rank > shown) continue;
    if (column.rank == rank && column.least > 0) grid.squeeze(index, grid.width() - width, column.least);
    ++index;
  }
}

/// What matters least is cut first, then left out.
report::Grid fitting(const std::vector<Column>& columns, int width) {
  int most = 0;
  for (const Column& column : columns) most = std::max(most, column.rank);
  for (int shown = most; shown > 0; --shown) {
    report::Grid grid = grid_of(columns, shown);
    // What always stays is cut last, but before the last of the others is left out.
    for (int rank = shown; rank >= (shown == 1 ? 0 : 1); --rank) cut(grid, columns, shown, rank, width);
    if (grid.width() <= width) return grid;
  }
  report::Grid grid = grid_of(columns, 0);
  cut(grid, columns, 0, 0, width);
  return grid;
}

Line first_of(Lines lines) { return lines.empty() ? Line{} : std::move(lines.front()); }

}  // namespace

int pane_rows(Size size) { return std::clamp(size.rows / 4, 5, 9); }

int rows_for(int count, Size size) {
  const int most = std::max(1, body_rows(size) - 1 - pane_rows(size));
  return std::clamp(count, 1, most);
}

int list_rows(const State& state, Size size) {
  const std::size_t count =
      state.page() == Page::workloads ? shown_workloads(state).size() : shown_results(state).size();
  return rows_for(static_cast<int>(count), size);
}

Lines drawn(const ListPage& page, Size size) {
  const report::Paint paint(true);
  const report::Grid grid = fitting(page.columns, size.columns - kMarks);
  const int rows = rows_for(page.count, size);
  Lines lines;
  Line header = first_of(from_painted(grid.header(paint)));
  header.spans.insert(header.spans.begin(), {std::string(kMarks, ' ')});
  for (Span& span : header.spans) span.style = Style::strong;
  lines.push_back(std::move(header));
  const int first = page.list.first(page.count, rows);
  for (int i = first; i < std::min(page.count, first + rows); ++i) {
    Line row = first_of(from_painted(grid.row(static_cast<std::size_t>(i), paint)));
    row.inverse = i == page.list.chosen;
    row.spans.insert(row.spans.begin(), {(row.inverse ? ">" : " ") + page.mark(i) + " "});
    lines.push_back(std::move(row));
  }
  lines.resize(static_cast<std::size_t>(rows) + 1);
  std::string rule;
  for (int i = 0; i < size.columns; ++i) rule += "─";
  lines.push_back(line_of(std::move(rule), Style::faint));
  for (const Line& line : page.pane) {
    if (static_cast<int>(lines.size()) == body_rows(size)) break;
    lines.push_back(line);
  }
  lines.resize(static_cast<std::size_t>(body_rows(size)));
  return lines;
}

}  // namespace aisp::tui
