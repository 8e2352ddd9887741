// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/grid.h"

#include <algorithm>

namespace aisp::report {
namespace {

constexpr int kGap = 2;

void drop_trailing_spaces(std::string& line) { line.erase(line.find_last_not_of(' ') + 1); }

}  // namespace

std::string Paint::wrapped(std::string_view code, std::string_view text) const {
  if (!color_ || text.empty()) return std::string(text);
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

std::string Paint::tone(std::string_view text, Tone tone) const {
  switch (tone) {
    case Tone::good:
      return wrapped("32", text);
    case Tone::caution:
      return wrapped("33", text);
    case Tone::bad:
      return wrapped("31", text);
    case Tone::plain:
      break;
  }
  return std::string(text);
}

std::string Paint::bold(std::string_view text) const { return wrapped("1", text); }
std::string Paint::dim(std::string_view text) const { return wrapped("2", text); }

void Grid::add(std::string header, Align align, std::vector<GridCell> cells) {
  int width = display_width(header);
  for (const GridCell& cell : cells) width = std::max(width, display_width(cell.text));
  columns_.push_back({std::move(header), align, std::move(cells), width});
}

int Grid::width() const {
  int total = 0;
  for (const Column& column : columns_) total += column.width + (total > 0 ? kGap : 0);
  return total;
}

void Grid::squeeze(std::size_t index, int excess, int least) {
  Column& column = columns_[index];
  if (excess <= 0 || column.width <= least) return;
  column.width = std::max(least, column.width - excess);
  column.header = shorten(column.header, column.width);
  for (GridCell& cell : column.cells) cell.text = shorten(cell.text, column.width);
}

std::string Grid::header(const Paint& paint) const {
  std::string names;
  std::string rule;
  for (const Column& column : columns_) {
    if (&column != &columns_.front()) {
      names += std::string(kGap, ' ');
      rule += std::string(kGap, ' ');
    }
    names += pad(column.header, column.width, column.align);
    for (int i = 0; i < column.width; ++i) rule += "─";
  }
  drop_trailing_spaces(names);
  return paint.bold(names) + "\n" + paint.dim(rule) + "\n";
}

std::string Grid::row(std::size_t index, const Paint& paint) const {
  std::string line;
  for (const Column& column : columns_) {
    if (&column != &columns_.front()) line += std::string(kGap, ' ');
    const GridCell& cell = column.cells[index];
    const std::string padded = pad(cell.text, column.width, column.align);
    line += paint.tone(padded, cell.tone);
  }
  drop_trailing_spaces(line);
  return line + "\n";
}

}  // namespace aisp::report
