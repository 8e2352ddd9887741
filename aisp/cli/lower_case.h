// SPDX-License-Identifier: Apache-2.0
/// \file
/// Names of hardware are compared without regard to case.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>

namespace aisp::cli {

inline std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace aisp::cli
