// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "aisp/cli/command.h"

namespace aisp::cli {

bool Arguments::has(std::string_view flag) const {
  const auto found = values.find(std::string(flag));
  return found != values.end() && !found->second.empty() && found->second.back() != "false";
}

std::string Arguments::text(std::string_view flag) const {
  const auto found = values.find(std::string(flag));
  return found == values.end() || found->second.empty() ? std::string() : found->second.back();
}

std::vector<std::string> Arguments::list(std::string_view flag) const {
  const auto found = values.find(std::string(flag));
  return found == values.end() ? std::vector<std::string>{} : found->second;
}

double Arguments::number(std::string_view flag) const { return std::strtod(text(flag).c_str(), nullptr); }

}  // namespace aisp::cli
