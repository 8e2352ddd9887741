// SPDX-License-Identifier: Apache-2.0
/// \file
/// Text that is safe and measurable on a terminal. Names and messages come from workload code, which may be
/// hostile: an escape sequence in a variant's name must not repaint the screen or hide a row.
///
///   visible("bad\x1b[2J")       // "bad\x1b[2J" with the escape written out as four characters
///   display_width("4.56 µs")    // 7 columns, 8 bytes
///   pad("naive", 8, Align::left)
///
/// Not a full Unicode implementation: widths cover combining marks and East Asian wide characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace aisp::report {

/// Control characters, escapes, direction overrides, zero-width characters and broken UTF-8 written out as
/// \xNN or \u{NNNN}. Everything else is unchanged. All renderers pass foreign text through this first.
std::string visible(std::string_view text);

/// Columns a terminal needs for valid UTF-8 without control characters.
int display_width(std::string_view text);

enum class Align { left, right };

/// Filled with spaces up to `width` columns; longer text is returned as it is.
std::string pad(std::string_view text, int width, Align align);

/// Shortened to `width` columns with an ellipsis; shorter text is returned as it is.
std::string shorten(std::string_view text, int width);

/// Broken at spaces into lines of at most `width` columns; longer words are cut.
std::vector<std::string> wrap(std::string_view text, int width);

}  // namespace aisp::report
