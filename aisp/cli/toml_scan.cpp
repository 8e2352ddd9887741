// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/toml_scan.h"

#include <algorithm>

namespace aisp::cli {
namespace {

enum class In { plain, comment, quoted, raw, quoted_lines, raw_lines };

bool opens(std::string_view rest, char quote) {
  return rest.size() >= 3 && rest[0] == quote && rest[1] == quote && rest[2] == quote;
}

/// Whether a string can begin at `at`: where a key or a value begins. A quote amid other characters is part
/// of something malformed, which the parser reads on as bare characters.
bool begins_token(std::string_view text, std::size_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) --at;
  return at == 0 || std::string_view("\n=[,{.").find(text[at - 1]) != std::string_view::npos;
}

/// Whether a comment can begin at `at`: for the same reason not right behind a bare character.
bool follows_space(std::string_view text, std::size_t at) {
  return at == 0 || std::string_view(" \t\n\"'],}").find(text[at - 1]) != std::string_view::npos;
}

}  // namespace

TomlScan scan_toml(std::string_view text) {
  TomlScan scan;
  In in = In::plain;
  int depth = 0, line = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const std::string_view rest = text.substr(i);
    const bool one_line = in == In::comment || in == In::quoted || in == In::raw;
    if (static_cast<unsigned char>(c) >= 0x80 && !one_line && scan.stray_line == 0) scan.stray_line = line;
    if (c == '\n') {
      ++line;
      if (one_line) in = In::plain;  // a string left open ends here: what follows must not pass as quoted
      continue;
    }
    switch (in) {
      case In::plain:
        if (c == '#' && follows_space(text, i)) in = In::comment;
        if ((c == '"' || c == '\'') && begins_token(text, i)) {
          const bool lines = opens(rest, c);
          in = c == '"' ? (lines ? In::quoted_lines : In::quoted) : (lines ? In::raw_lines : In::raw);
          if (lines) i += 2;
        }
        depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
        scan.deepest = std::max(scan.deepest, depth);
        break;
      case In::comment:
        break;
      case In::quoted:
        if (c == '\\' && i + 1 < text.size() && text[i + 1] != '\n') ++i;
        if (c == '"') in = In::plain;
        break;
      case In::raw:
        if (c == '\'') in = In::plain;
        break;
      case In::quoted_lines:
      case In::raw_lines: {
        const char quote = in == In::quoted_lines ? '"' : '\'';
        if (c == '\\' && in == In::quoted_lines && i + 1 < text.size() && text[i + 1] != '\n') {
          ++i;
        } else if (opens(rest, quote)) {
          i += 2;
          for (int extra = 0; extra < 2 && i + 1 < text.size() && text[i + 1] == quote; ++extra) ++i;
          in = In::plain;
        }
        break;
      }
    }
  }
  return scan;
}

}  // namespace aisp::cli
