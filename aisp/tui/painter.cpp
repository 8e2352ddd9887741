// SPDX-License-Identifier: Apache-2.0
#define NCURSES_WIDECHAR 1  // get_wch(): keys beyond ASCII

#include "aisp/tui/painter.h"

#include <clocale>
#include <cstdlib>
#include <cwchar>
#include <utility>

#include <langinfo.h>
#include <ncurses.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "aisp/report/text.h"
#include "aisp/tui/rescue.h"

namespace aisp::tui {
namespace {

enum Pair : short { kGood = 1, kCaution, kBad };

/// Whether the terminal is said to take UTF-8. A host that lacks the user's locale still has C.UTF-8.
bool use_utf8() {
  const auto is_utf8 = [] { return std::string_view(nl_langinfo(CODESET)) == "UTF-8"; };
  if (std::setlocale(LC_CTYPE, "") != nullptr && is_utf8()) return true;
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view wanted = value;
    const bool asked =
        wanted.find("UTF-8") != std::string_view::npos || wanted.find("utf8") != std::string_view::npos;
    return asked && std::setlocale(LC_CTYPE, "C.UTF-8") != nullptr && is_utf8();
  }
  return false;
}

std::string utf8_of(char32_t c) {
  const auto byte = [](char32_t value) { return static_cast<char>(value); };
  if (c < 0x80) return {byte(c)};
  if (c < 0x800) return {byte(0xc0 | c >> 6), byte(0x80 | (c & 0x3f))};
  if (c < 0x10000) return {byte(0xe0 | c >> 12), byte(0x80 | (c >> 6 & 0x3f)), byte(0x80 | (c & 0x3f))};
  return {byte(0xf0 | c >> 18), byte(0x80 | (c >> 12 & 0x3f)), byte(0x80 | (c >> 6 & 0x3f)),
          byte(0x80 | (c & 0x3f))};
}

Key named_key(wint_t code) {
  switch (code) {
    case KEY_UP:
      return {.kind = Key::Kind::up};
    case KEY_DOWN:
      return {.kind = Key::Kind::down};
    case KEY_LEFT:
      return {.kind = Key::Kind::left};
    case KEY_RIGHT:
      return {.kind = Key::Kind::right};
    case KEY_PPAGE:
      return {.kind = Key::Kind::page_up};
    case KEY_NPAGE:
      return {.kind = Key::Kind::page_down};
    case KEY_HOME:
      return {.kind = Key::Kind::home};
    case KEY_END:
      return {.kind = Key::Kind::end};
    case KEY_ENTER:
      return {.kind = Key::Kind::enter};
    case KEY_BACKSPACE:
      return {.kind = Key::Kind::backspace};
    default:
      return {};
  }
}

Key typed_key(wint_t code) {
  switch (code) {
    case '\r':
    case '\n':
      return {.kind = Key::Kind::enter};
    case 27:
      return {.kind = Key::Kind::escape};
    case '\t':
      return {.kind = Key::Kind::tab};
    case 8:
    case 127:
      return {.kind = Key::Kind::backspace};
    default:
      if (code < 32) return {};
      return {.kind = Key::Kind::text, .text = utf8_of(static_cast<char32_t>(code))};
  }
}

}  // namespace

Result<Painter> Painter::open(bool colours) {
  const char* term = std::getenv("TERM");
  if (isatty(STDIN_FILENO) != 1 || isatty(STDOUT_FILENO) != 1)
    return Error{ErrorCode::environment, "this needs a terminal, and input or output is something else",
                 "`aisp tui --simple` works without"};
  const std::string name = term != nullptr ? term : "";
  if (!knows_terminal())
    return Error{ErrorCode::environment, "no terminal description for TERM=" + name,
                 "set TERM to one that this machine knows (`export TERM=xterm`), or `aisp tui --simple`"};
  const bool utf8 = use_utf8();
  remember_terminal();
  setenv("ESCDELAY", "25", 0);  // milliseconds; long enough for what a slow line splits
  if (newterm(nullptr, stdout, stdin) == nullptr)
    return Error{ErrorCode::environment, "the terminal TERM=" + name + " cannot show a screen",
                 "`aisp tui --simple` works without"};
  arm_rescue();
  cbreak();
  noecho();
  nonl();
  keypad(stdscr, TRUE);
  nodelay(stdscr, TRUE);
  curs_set(0);
  const bool painted = colours && has_colors();
  if (painted) {
    start_color();
    use_default_colors();
    init_pair(kGood, COLOR_GREEN, -1);
    init_pair(kCaution, COLOR_YELLOW, -1);
    init_pair(kBad, COLOR_RED, -1);
  }
  return Painter(painted, utf8);
}

Painter::Painter(Painter&& other) noexcept
    : open_(std::exchange(other.open_, false)), colours_(other.colours_), utf8_(other.utf8_) {}

Painter::~Painter() {
  if (!open_) return;
  endwin();
  disarm_rescue();
}

Size Painter::size() const { return {.columns = getmaxx(stdscr), .rows = getmaxy(stdscr)}; }

void Painter::resized() {
  winsize now{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &now) == 0 && now.ws_col > 0 && now.ws_row > 0)
    resizeterm(now.ws_row, now.ws_col);
  clearok(stdscr, TRUE);
}

int Painter::attributes_of(Style style) const {
  const auto pair = [&](Pair p) { return colours_ ? static_cast<int>(COLOR_PAIR(p)) : 0; };
  switch (style) {
    case Style::strong:
      return static_cast<int>(A_BOLD);
    case Style::faint:
      return static_cast<int>(A_DIM);
    case Style::good:
      return pair(kGood);
    case Style::caution:
      return pair(kCaution);
    case Style::bad:
      return static_cast<int>(A_BOLD) | pair(kBad);
    case Style::plain:
      break;
  }
  return 0;
}

void Painter::show(const Lines& lines) {
  erase();
  const Size room = size();
  for (int y = 0; y < room.rows && y < static_cast<int>(lines.size()); ++y) {
    const Line line = fitted(lines[static_cast<std::size_t>(y)], room.columns);
    int x = 0;
    for (const Span& span : line.spans) {
      attrset(attributes_of(span.style) | (line.inverse ? static_cast<int>(A_REVERSE) : 0));
      // Every span is put where our own widths say, whatever the C library thinks of a character.
      mvaddstr(y, x, (utf8_ ? span.text : in_ascii(span.text)).c_str());
      x += report::display_width(span.text);
    }
  }
  attrset(0);
  refresh();
}

std::optional<Key> Painter::key() {
  wint_t code = 0;
  const int kind = get_wch(&code);
  if (kind == ERR) return std::nullopt;
  return kind == KEY_CODE_YES ? named_key(code) : typed_key(code);
}

}  // namespace aisp::tui
