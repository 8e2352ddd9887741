// SPDX-License-Identifier: Apache-2.0
#include "aisp/tui/list.h"

#include <algorithm>

namespace aisp::tui {

bool List::move(const Key& key, int count, int height) {
  const int page = std::max(1, height - 1);
  switch (key.kind) {
    case Key::Kind::up:
      chosen -= 1;
      break;
    case Key::Kind::down:
      chosen += 1;
      break;
    case Key::Kind::page_up:
      chosen -= page;
      break;
    case Key::Kind::page_down:
      chosen += page;
      break;
    case Key::Kind::home:
      chosen = 0;
      break;
    case Key::Kind::end:
      chosen = count - 1;
      break;
    default:
      if (!key.is('j') && !key.is('k')) return false;
      chosen += key.is('j') ? 1 : -1;
  }
  settle(count, height);
  return true;
}

int List::first(int count, int height) const {
  const int last = std::max(0, count - std::max(height, 1));
  return std::clamp(std::clamp(top, chosen - std::max(height, 1) + 1, std::max(chosen, 0)), 0, last);
}

void List::settle(int count, int height) {
  chosen = std::clamp(chosen, 0, std::max(0, count - 1));
  top = first(count, height);
}

}  // namespace aisp::tui
