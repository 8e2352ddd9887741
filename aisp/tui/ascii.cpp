// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>
#include <string_view>

#include "aisp/report/text.h"
#include "aisp/tui/painter.h"

namespace aisp::tui {
namespace {

struct Alike {
  std::string_view sign, ascii;
};
constexpr std::array kAlike{Alike{"–", "-"}, Alike{"…", "~"}, Alike{"µ", "u"}, Alike{"±", "~"},
                            Alike{"─", "-"}, Alike{"│", "|"}, Alike{"├", "["}, Alike{"┤", "]"},
                            Alike{"●", "o"}, Alike{"·", "."}, Alike{"└", "`"}, Alike{"↑", "^"},
                            Alike{"↓", "v"}, Alike{"←", "<"}, Alike{"→", ">"}};

}  // namespace

std::string in_ascii(std::string_view text) {
  std::string made;
  while (!text.empty()) {
    if (static_cast<unsigned char>(text.front()) < 0x80) {
      made += text.front();
      text.remove_prefix(1);
      continue;
    }
    std::size_t length = 1;
    while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) ++length;
    const std::string_view sign = text.substr(0, length);
    std::string like(static_cast<std::size_t>(report::display_width(sign)), '?');
    for (const Alike& alike : kAlike)
      if (alike.sign == sign) like = alike.ascii;
    made += like;
    text.remove_prefix(length);
  }
  return made;
}

}  // namespace aisp::tui
