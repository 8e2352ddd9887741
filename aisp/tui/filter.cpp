// SPDX-License-Identifier: Apache-2.0
#include "aisp/tui/filter.h"

#include <cctype>
#include <sstream>
#include <string>

namespace aisp::tui {
namespace {

std::string lower(std::string_view text) {
  std::string made(text);
  for (char& c : made) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return made;
}

}  // namespace

bool has_words(std::string_view text, std::string_view filter) {
  const std::string all = lower(text);
  std::istringstream words(lower(filter));
  for (std::string word; words >> word;)
    if (all.find(word) == std::string::npos) return false;
  return true;
}

}  // namespace aisp::tui
