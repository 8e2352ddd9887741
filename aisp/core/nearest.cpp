// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/nearest.h"

#include <algorithm>
#include <map>

namespace aisp {
namespace {

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({row[j - 1] + 1, above + 1, diagonal + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::vector<std::string> nearest(const std::string& name, const std::vector<std::string>& known) {
  std::multimap<std::size_t, std::string> by_distance;
  for (const std::string& candidate : known) {
    const std::string leaf = candidate.substr(candidate.find('/') + 1);
    const std::size_t distance = std::min(edit_distance(name, candidate), edit_distance(name, leaf));
    if (distance <= std::max<std::size_t>(2, name.size() / 3)) by_distance.emplace(distance, candidate);
  }
  std::vector<std::string> best;
  for (const auto& [distance, candidate] : by_distance) {
    if (best.size() < 3) best.push_back(candidate);
  }
  return best;
}

}  // namespace aisp
