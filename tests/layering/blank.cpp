// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>

#include "tests/layering/rules.h"

namespace aisp::layering {
namespace {

/// One past the end of the literal or comment that begins at `i`, or `i` if none does.
std::size_t end_of_blank(std::string_view text, std::size_t i) {
  const auto rest = text.substr(i);
  const auto upto = [&](std::string_view mark, std::size_t from) {
    const auto found = text.find(mark, from);
    return found == std::string_view::npos ? text.size() : found + mark.size();
  };
  if (rest.starts_with("//")) return std::min(text.find('\n', i), text.size());
  if (rest.starts_with("/*")) return upto("*/", i + 2);
  if (rest.starts_with("R\"")) {
    const auto open = text.find('(', i);
    if (open == std::string_view::npos) return text.size();
    return upto(")" + std::string(text.substr(i + 2, open - i - 2)) + "\"", open);
  }
  // A quote between digits separates thousands.
  const bool separator =
      rest.front() == '\'' && i > 0 && std::isalnum(static_cast<unsigned char>(text[i - 1])) != 0;
  if ((rest.front() != '"' && rest.front() != '\'') || separator) return i;
  std::size_t end = i + 1;
  while (end < text.size() && text[end] != rest.front() && text[end] != '\n')
    end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

}  // namespace

std::string without_comments_and_literals(std::string_view text) {
  std::string blanked(text);
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = end_of_blank(text, i);
    for (std::size_t k = i; k < end; ++k) {
      if (blanked[k] != '\n') blanked[k] = ' ';
    }
    i = std::max(end, i + 1);
  }
  return blanked;
}

}  // namespace aisp::layering
