// SPDX-License-Identifier: Apache-2.0
/// \file
/// A screen as data: lines of text with attributes. Pages return them, the painter shows them, tests read
/// them.
///
///   Line line{{{"invalid", Style::bad}, {"  output_written: ..."}}};
///   plain_text({line})   // "invalid  output_written: ...\n"
///
/// Text in a Line has passed through report::visible(): nothing in it can steer a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "aisp/report/row.h"

namespace aisp::tui {

enum class Style : std::uint8_t { plain, strong, faint, good, caution, bad };

Style style_of(report::Tone tone);

struct Span {
  std::string text;
  Style style = Style::plain;
};

struct Line {
  std::vector<Span> spans;
  bool inverse = false;  ///< the whole of it: the chosen row, the header
};
using Lines = std::vector<Line>;

struct Size {
  int columns = 80, rows = 24;
};

Line line_of(std::string text, Style style = Style::plain);

int width_of(const Line& line);

/// Exactly `columns` wide: cut with an ellipsis, or filled with spaces.
Line fitted(const Line& line, int columns);

/// Wrapped to `width`, every line but the first indented by `indent`, the first by `first`.
Lines paragraph(std::string_view text, int width, Style style, std::string_view first,
                std::string_view indent);

/// What report::Paint coloured, as lines: its few codes become styles, and any other escape is taken out.
Lines from_painted(std::string_view text);

/// Without attributes and trailing spaces; every line ends in a newline.
std::string plain_text(const Lines& lines);

void append(Lines& to, Lines more);

}  // namespace aisp::tui
