// SPDX-License-Identifier: Apache-2.0
/// \file
/// A look at TOML text before the parser sees it: how deep it nests, and where it has letters beyond ASCII
/// that TOML does not allow. The parser's test for white space (toml++ 3.3) has undefined behaviour on such
/// letters, an 'ä' for one; in strings of one line and in comments, where they belong, it does not ask.
///
///   const TomlScan scan = scan_toml(text);
///   if (scan.stray_line > 0) ...   // "line 3 has a letter that belongs in quotes"
#pragma once

#include <string_view>

namespace aisp::cli {

struct TomlScan {
  int deepest = 0;  ///< brackets and braces open at once, outside strings and comments
  int stray_line =
      0;  ///< first line with a letter beyond ASCII outside a string of one line or a comment; 0 = none
};

TomlScan scan_toml(std::string_view text);

}  // namespace aisp::cli
