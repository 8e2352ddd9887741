// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/toml_scan.h"

#include <algorithm>

namespace aisp::cli {
namespace {

enum class In { plain, comment, quoted, raw, quoted_lines, raw_lines };

bool opens(std::string_view rest, char quote) {
  return rest.size() >= 3 && rest[0] == quote && rest[1] == quote && rest[2] == quote;
}

bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/// What stands on a line so far. Behind anything but a key, strings and brackets the parser may be reading
/// something malformed as bare characters, and a quote amid them is one of those.
struct LineSoFar {
  bool equals = false;  ///< the key is behind
  bool clean = true;

  void take(char c) {
    const bool between = c == ' ' || c == '\t' || c == '\r' || c == '[' || c == ']' || c == ',';
    if (!between && c != '=' && (equals || (!is_bare(c) && c != '.'))) clean = false;
    equals = equals || c == '=';
  }
};

/// Whether a comment can begin at `at`: for the same reason not right behind a bare character.
bool begins_comment(std::string_view text, std::size_t at, const LineSoFar& line) {
  const auto behind = [&](std::string_view any) { return any.find(text[at - 1]) != std::string_view::npos; };
  return at == 0 || behind(" \t\n") || (line.clean && behind("\"'],"));
}

}  // namespace

TomlScan scan_toml(std::string_view text) {
  TomlScan scan;
  In in = In::plain;
  int depth = 0, line = 1;
  LineSoFar so_far;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const std::string_view rest = text.substr(i);
    const bool one_line = in == In::comment || in == In::quoted || in == In::raw;
    if (static_cast<unsigned char>(c) >= 0x80 && !one_line && scan.stray_line == 0) scan.stray_line = line;
    if (c == '\n') {
      ++line;
      so_far = {.equals = depth > 0};  // within an array there are values only
      if (one_line) in = In::plain;    // a string left open ends here: what follows must not pass as quoted
      continue;
    }
    switch (in) {
      case In::plain:
        if (c == '#' && begins_comment(text, i, so_far)) in = In::comment;
        if (c != '"' && c != '\'') {
          so_far.take(c);
        } else if (so_far.clean) {
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
