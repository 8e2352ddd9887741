// SPDX-License-Identifier: Apache-2.0
#include "aisp/wire/json.h"

namespace aisp {
namespace {

/// Deepest nesting of brackets outside strings, found without recursion.
int nesting_of(std::string_view text, int limit) {
  int depth = 0;
  int deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size() && deepest <= limit; ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return deepest;
}

/// Length of the valid UTF-8 sequence at `i`, or 0.
std::size_t utf8_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char lead = byte(i);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 && lead <= 0xf4  ? 4
                             : lead >= 0xe0 && lead < 0xf0 ? 3
                             : lead >= 0xc2 && lead < 0xe0 ? 2
                                                           : 0;
  if (length == 0 || i + length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xc0) != 0x80) return 0;
  }
  // Overlong forms, surrogates and values beyond U+10FFFF are not UTF-8 either.
  if (lead == 0xe0 && byte(i + 1) < 0xa0) return 0;
  if (lead == 0xed && byte(i + 1) >= 0xa0) return 0;
  if (lead == 0xf0 && byte(i + 1) < 0x90) return 0;
  if (lead == 0xf4 && byte(i + 1) >= 0x90) return 0;
  return length;
}

}  // namespace

std::size_t valid_utf8_bytes(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const std::size_t length = utf8_length(text, i);
    if (length == 0) break;
    i += length;
  }
  return i;
}

std::string printable_utf8(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    if (length == 0) {
      clean += "\xef\xbf\xbd";  // replacement character
      ++i;
    } else {
      clean.append(text.substr(i, length));
      i += length;
    }
  }
  return clean;
}

Result<Json> parse_json(std::string_view text, std::size_t max_bytes, int max_depth) {
  if (text.size() > max_bytes) {
    return Error{ErrorCode::bad_input,
                 "JSON of " + std::to_string(text.size()) + " bytes is beyond the limit of " +
                     std::to_string(max_bytes),
                 ""};
  }
  if (nesting_of(text, max_depth) > max_depth) {
    return Error{ErrorCode::bad_input, "JSON is nested deeper than " + std::to_string(max_depth) + " levels",
                 ""};
  }
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return Error{ErrorCode::bad_input, "not valid JSON", "check for truncation"};
  return json;
}

}  // namespace aisp
