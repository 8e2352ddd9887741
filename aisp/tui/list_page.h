// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the two pages with a list have in common: columns that fit the width, the chosen row, and a pane
/// below that tells more of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "aisp/report/grid.h"
#include "aisp/tui/line.h"
#include "aisp/tui/list.h"

namespace aisp::tui {

struct Column {
  std::string header;
  report::Align align = report::Align::left;
  std::vector<report::GridCell> cells;
  int rank = 0;   ///< those of the highest rank are left out first; 0 stays
  int least = 0;  ///< columns of text to which it may be cut; 0: not at all
};

/// Rows of the pane at least, the rule above it included; a short list leaves it more.
int pane_rows(Size size);
/// Rows of a list of so many.
int rows_for(int count, Size size);

struct ListPage {
  std::vector<Column> columns;
  int count = 0;
  List list;
  std::function<std::string(int)> mark = [](int) { return " "; };  ///< one column, before the row
  Lines pane = {};                                                 ///< cut to its room
};

/// The header, the rows and the pane: exactly body_rows(size) lines.
Lines drawn(const ListPage& page, Size size);

}  // namespace aisp::tui
