// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/params.h"

#include <algorithm>

#include "aisp/core/check.h"

namespace aisp {

std::int64_t Params::operator[](std::string_view name) const {
  const auto found = std::ranges::find(entries_, name, &Entry::first);
  AISP_CHECK(found != entries_.end(), "a workload asked for a parameter that it does not declare as an axis");
  return found->second;
}

bool Params::has(std::string_view name) const {
  return std::ranges::find(entries_, name, &Entry::first) != entries_.end();
}

void Params::set(std::string_view name, std::int64_t value) {
  const auto found = std::ranges::find(entries_, name, &Entry::first);
  if (found != entries_.end()) {
    found->second = value;
  } else {
    entries_.emplace_back(name, value);
  }
}

std::string Params::text() const {
  std::string text;
  for (const auto& [name, value] : entries_) {
    if (!text.empty()) text += ' ';
    text += name + '=' + std::to_string(value);
  }
  return text;
}

}  // namespace aisp
