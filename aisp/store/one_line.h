// SPDX-License-Identifier: Apache-2.0
/// \file
/// Databases report in several lines; an error of ours has one.
#pragma once

#include <algorithm>
#include <string>

namespace aisp::store {

inline std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace aisp::store
