// SPDX-License-Identifier: Apache-2.0
#include "aisp/wire/json_parts.h"

#include <algorithm>

namespace aisp {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

/// Behind the string that begins at `at` with its quote.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      return at + 1;
    }
  }
  return text.size();
}

/// Behind the list or object that begins at `at` with its bracket.
std::size_t end_of_part(std::string_view text, std::size_t at) {
  int open = 0;
  while ((at = text.find_first_of("\"{}[]", at)) != text.npos) {
    if (text[at] == '"') {
      at = end_of_string(text, at);
      continue;
    }
    open += text[at] == '{' || text[at] == '[' ? 1 : -1;
    ++at;
    if (open <= 0) return at;
  }
  return text.size();
}

std::size_t behind_blanks(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(kBlanks, at), text.size());
}

bool is(std::string_view text, std::size_t at, char wanted) { return at < text.size() && text[at] == wanted; }

}  // namespace

std::string without_parts(std::string_view json, std::initializer_list<std::string_view> names) {
  std::string kept;
  kept.reserve(json.size() / 4);
  std::size_t from = 0, at = 0;
  while ((at = json.find('"', at)) < json.size()) {
    const std::size_t key = at;
    at = end_of_string(json, key);
    const std::size_t colon = behind_blanks(json, at);
    if (!is(json, colon, ':')) continue;  // no key
    const std::size_t value = behind_blanks(json, colon + 1);
    const bool part = is(json, value, '{') || is(json, value, '[');
    const std::string_view name = json.substr(key + 1, at - key - 2);
    if (!part || std::ranges::find(names, name) == names.end()) {
      at = value;
      continue;
    }
    kept.append(json, from, key - from);
    at = behind_blanks(json, end_of_part(json, value));
    if (is(json, at, ',')) {
      ++at;  // the next member takes its place
    } else if (const std::size_t last = kept.find_last_not_of(kBlanks);
               last != kept.npos && kept[last] == ',') {
      kept.resize(last);  // it was the last of several
    }
    from = at;
  }
  return kept.append(json, from, json.npos);
}

}  // namespace aisp
