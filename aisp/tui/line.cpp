// SPDX-License-Identifier: Apache-2.0
#include "aisp/tui/line.h"

#include <algorithm>
#include <iterator>

#include "aisp/report/text.h"

namespace aisp::tui {
namespace {

Style style_of_code(std::string_view code) {
  if (code == "1") return Style::strong;
  if (code == "2") return Style::faint;
  if (code == "31") return Style::bad;
  if (code == "32") return Style::good;
  if (code == "33") return Style::caution;
  return Style::plain;
}

Line unpainted(std::string_view text) {
  Line line;
  Style style = Style::plain;
  while (!text.empty()) {
    const std::size_t escape = text.find('\x1b');
    if (escape != 0) line.spans.push_back({std::string(text.substr(0, escape)), style});
    if (escape == std::string_view::npos) break;
    text.remove_prefix(escape + 1);
    const std::size_t end = text.find('m');
    if (!text.starts_with('[') || end == std::string_view::npos) continue;
    style = style_of_code(text.substr(1, end - 1));
    text.remove_prefix(end + 1);
  }
  return line;
}

}  // namespace

Style style_of(report::Tone tone) {
  switch (tone) {
    case report::Tone::good:
      return Style::good;
    case report::Tone::caution:
      return Style::caution;
    case report::Tone::bad:
      return Style::bad;
    case report::Tone::plain:
      break;
  }
  return Style::plain;
}

Line line_of(std::string text, Style style) {
  Line line;
  line.spans.push_back({std::move(text), style});
  return line;
}

int width_of(const Line& line) {
  int width = 0;
  for (const Span& span : line.spans) width += report::display_width(span.text);
  return width;
}

Line fitted(const Line& line, int columns) {
  Line made;
  made.inverse = line.inverse;
  int left = std::max(columns, 0);
  // One that is too long ends in an ellipsis, wherever among its spans that falls.
  const bool cut = width_of(line) > left;
  for (const Span& span : line.spans) {
    const int width = report::display_width(span.text);
    const bool last = cut && width >= left;
    Span kept = span;
    if (last) kept.text = report::shorten(width == left ? span.text + " " : span.text, left);
    left -= report::display_width(kept.text);
    made.spans.push_back(std::move(kept));
    if (last) break;
  }
  // Half of a wide character leaves a column too.
  if (left > 0) made.spans.push_back({std::string(static_cast<std::size_t>(left), ' ')});
  return made;
}

Lines paragraph(std::string_view text, int width, Style style, std::string_view first,
                std::string_view indent) {
  Lines lines;
  const int room = width - std::max(report::display_width(first), report::display_width(indent));
  for (const std::string& part : report::wrap(text, room))
    lines.push_back(line_of(std::string(lines.empty() ? first : indent) + part, style));
  return lines;
}

Lines from_painted(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(unpainted(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string plain_text(const Lines& lines) {
  std::string text;
  for (const Line& line : lines) {
    std::string row;
    for (const Span& span : line.spans) row += span.text;
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
  }
  return text;
}

void append(Lines& to, Lines more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace aisp::tui
