// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/catalogue.h"

#include <algorithm>
#include <vector>

#include "aisp/guards/catalogue_parts.h"

namespace aisp::guards {

std::string_view name_of(Cover cover) {
  static constexpr std::array<std::string_view, 4> names{"by construction", "guard", "recorded", "not yet"};
  return names[static_cast<std::size_t>(cover)];
}

std::span<const Issue> catalogue() {
  static const std::vector<Issue> issues = [] {
    std::vector<Issue> gathered;
    for (const auto part : {timing_issues(), output_issues(), workload_issues(), location_issues(),
                            memory_issues(), cuda_issues(), compile_issues(), distributed_issues(),
                            environment_issues(), statistical_issues(), evaluation_issues()}) {
      gathered.insert(gathered.end(), part.begin(), part.end());
    }
    return gathered;
  }();
  return issues;
}

const Issue* find_issue(int number) {
  const auto issues = catalogue();
  const auto found = std::ranges::find(issues, number, &Issue::number);
  return found == issues.end() ? nullptr : &*found;
}

}  // namespace aisp::guards
