// SPDX-License-Identifier: Apache-2.0
/// \file
/// Columns of monospaced text for a terminal: widths from the contents, colours added after padding.
///
///   Grid grid;
///   grid.add("time", Align::right, {{"4.56 ms"}, {"12.0 µs"}});
///   if (grid.width() > terminal) ...   // leave a column out and try again
///   grid.header(paint); grid.row(0, paint);
///
/// It knows nothing of results; which columns matter is decided in table.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "aisp/report/row.h"
#include "aisp/report/text.h"

namespace aisp::report {

/// Wraps text in terminal colours, or leaves it alone.
class Paint {
 public:
  explicit Paint(bool color) : color_(color) {}
  std::string tone(std::string_view text, Tone tone) const;
  std::string bold(std::string_view text) const;
  std::string dim(std::string_view text) const;

 private:
  std::string wrapped(std::string_view code, std::string_view text) const;
  bool color_;
};

struct GridCell {
  std::string text;
  Tone tone = Tone::plain;
};

class Grid {
 public:
  void add(std::string header, Align align, std::vector<GridCell> cells);
  std::size_t columns() const { return columns_.size(); }
  /// Columns of the terminal needed, gaps of two included.
  int width() const;
  /// Cuts the cells of column `index` (counted as added) by up to `excess` columns, not below `least`.
  void squeeze(std::size_t index, int excess, int least);
  /// The header and a rule under it, each ending in a newline.
  std::string header(const Paint& paint) const;
  std::string row(std::size_t index, const Paint& paint) const;

 private:
  struct Column {
    std::string header;
    Align align;
    std::vector<GridCell> cells;
    int width;
  };
  std::vector<Column> columns_;
};

}  // namespace aisp::report
