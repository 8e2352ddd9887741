// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where one is in a list that is longer than the screen.
///
///   List list;
///   list.move(Key::Kind::page_down, rows.size(), height);
///   for (int i = list.first(rows.size(), height); ...; ++i) show(rows[i], i == list.chosen);
#pragma once

#include "aisp/tui/key.h"

namespace aisp::tui {

struct List {
  int chosen = 0;
  int top = 0;  ///< that was shown first; first() says what is

  /// True when the key is one that moves.
  bool move(const Key& key, int count, int height);
  /// The row to show first, so that the chosen one is seen and no room is wasted.
  int first(int count, int height) const;
  /// Back into a list that became shorter.
  void settle(int count, int height);
};

}  // namespace aisp::tui
