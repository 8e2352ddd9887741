// SPDX-License-Identifier: Apache-2.0
/// \file
/// What was pressed, whatever the terminal sends for it.
#pragma once

#include <cstdint>
#include <string>

namespace aisp::tui {

struct Key {
  enum class Kind : std::uint8_t {
    text,  ///< a character that was typed, in `text`
    up,
    down,
    left,
    right,
    page_up,
    page_down,
    home,
    end,
    enter,
    escape,
    backspace,
    tab,
    other,
  };
  Kind kind = Kind::other;
  std::string text = {};  ///< UTF-8, one character

  bool is(char c) const { return kind == Kind::text && text.size() == 1 && text[0] == c; }
};

inline Key typed(char c) { return {.kind = Key::Kind::text, .text = std::string(1, c)}; }

}  // namespace aisp::tui
