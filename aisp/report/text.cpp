// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/text.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>

namespace aisp::report {
namespace {

struct Decoded {
  char32_t code = 0;
  std::size_t length = 0;  ///< 0: not valid UTF-8 at this place
};

Decoded decode(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char lead = byte(i);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xf0 && lead <= 0xf4   ? 4
                             : lead >= 0xe0 && lead <= 0xef ? 3
                             : lead >= 0xc2 && lead <= 0xdf ? 2
                                                            : 0;
  if (length == 0 || i + length > text.size()) return {};
  char32_t code = lead & (0x7f >> length);
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xc0) != 0x80) return {};
    code = (code << 6) | (byte(i + k) & 0x3f);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  if (overlong || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return {};
  return {code, length};
}

struct Range {
  char32_t first, last;
};

template <std::size_t N>
bool in_any(const std::array<Range, N>& ranges, char32_t code) {
  return std::ranges::any_of(ranges, [&](Range r) { return code >= r.first && code <= r.last; });
}

/// Characters that change how their neighbours are shown, or show nothing: C1 controls, soft hyphen,
/// direction marks and overrides, zero-width characters, line separators, interlinear marks, tags.
constexpr std::array<Range, 10> kTreacherous{{{0x80, 0x9f},
                                              {0xad, 0xad},
                                              {0x61c, 0x61c},
                                              {0x180e, 0x180e},
                                              {0x200b, 0x200f},
                                              {0x2028, 0x202e},
                                              {0x2060, 0x206f},
                                              {0xfeff, 0xfeff},
                                              {0xfff9, 0xfffb},
                                              {0xe0000, 0xe0fff}}};
constexpr std::array<Range, 7> kCombining{{{0x300, 0x36f},
                                           {0x483, 0x489},
                                           {0x1ab0, 0x1aff},
                                           {0x1dc0, 0x1dff},
                                           {0x20d0, 0x20ff},
                                           {0xfe00, 0xfe0f},
                                           {0xfe20, 0xfe2f}}};
constexpr std::array<Range, 11> kWide{{{0x1100, 0x115f},
                                       {0x2e80, 0x303e},
                                       {0x3041, 0x4dbf},
                                       {0x4e00, 0xa4cf},
                                       {0xac00, 0xd7a3},
                                       {0xf900, 0xfaff},
                                       {0xfe30, 0xfe6f},
                                       {0xff00, 0xff60},
                                       {0xffe0, 0xffe6},
                                       {0x1f300, 0x1faff},
                                       {0x20000, 0x3fffd}}};

int width_of(char32_t code) { return in_any(kCombining, code) ? 0 : in_any(kWide, code) ? 2 : 1; }

/// Bytes of the longest prefix that needs at most `width` columns.
std::size_t prefix_within(std::string_view text, int width) {
  std::size_t i = 0;
  for (int used = 0; i < text.size();) {
    const Decoded next = decode(text, i);
    used += next.length == 0 ? 1 : width_of(next.code);
    if (used > width) break;
    i += std::max<std::size_t>(next.length, 1);
  }
  return i;
}

}  // namespace

std::string visible(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const Decoded next = decode(text, i);
    if (next.length == 0) {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
      ++i;
      continue;
    }
    if (next.code == '\n') {
      shown += "\\n";
    } else if (next.code == '\t') {
      shown += "\\t";
    } else if (next.code == '\r') {
      shown += "\\r";
    } else if (next.code < 0x20 || next.code == 0x7f) {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned>(next.code));
    } else if (in_any(kTreacherous, next.code)) {
      shown += fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(next.code));
    } else {
      shown.append(text.substr(i, next.length));
    }
    i += next.length;
  }
  return shown;
}

int display_width(std::string_view text) {
  int width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const Decoded next = decode(text, i);
    width += next.length == 0 ? 1 : width_of(next.code);
    i += std::max<std::size_t>(next.length, 1);
  }
  return width;
}

std::string pad(std::string_view text, int width, Align align) {
  const std::string fill(static_cast<std::size_t>(std::max(0, width - display_width(text))), ' ');
  return align == Align::left ? std::string(text) + fill : fill + std::string(text);
}

std::string shorten(std::string_view text, int width) {
  if (display_width(text) <= width) return std::string(text);
  if (width <= 0) return {};
  return std::string(text.substr(0, prefix_within(text, width - 1))) + "…";
}

std::vector<std::string> wrap(std::string_view text, int width) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    std::size_t cut = prefix_within(text, std::max(width, 1));
    if (cut < text.size()) {
      const std::size_t space = text.rfind(' ', cut);
      if (space != std::string_view::npos && space > 0) cut = space;
      if (cut == 0) cut = std::max<std::size_t>(decode(text, 0).length, 1);  // one wide character, one column
    }
    lines.emplace_back(text.substr(0, cut));
    text.remove_prefix(cut);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  return lines;
}

}  // namespace aisp::report
