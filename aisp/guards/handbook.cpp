// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/handbook.h"

#include <aisp_guards_page.h>

namespace aisp::guards {
namespace {

/// From behind the heading to the next one.
std::string_view section_of(std::string_view guard) {
  const std::string_view page(kGuardsPage);
  const std::string heading = "\n### " + std::string(guard) + "\n";
  const auto start = page.find(heading);
  if (start == std::string_view::npos) return {};
  const std::string_view rest = page.substr(start + heading.size());
  return rest.substr(0, rest.find("\n##"));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> handbook_points(std::string_view guard) {
  std::vector<std::pair<std::string, std::string>> points;
  std::string_view section = section_of(guard);
  constexpr std::string_view kPoint = "\n- ";
  for (auto at = section.find(kPoint); at != std::string_view::npos; at = section.find(kPoint)) {
    section.remove_prefix(at + kPoint.size());
    const std::string_view point = section.substr(0, section.find(kPoint));
    const auto colon = point.find(": ");
    if (colon == std::string_view::npos) continue;
    points.emplace_back(point.substr(0, colon), point.substr(colon + 2));
  }
  return points;
}

}  // namespace aisp::guards
