// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/history_unmatched.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "aisp/cli/results.h"
#include "aisp/core/config.h"
#include "aisp/harness/build_cell.h"
#include "aisp/report/text.h"
#include "aisp/store/figures.h"

namespace aisp::cli {
namespace {

/// "workload ch07, device gpu, on AMD EPYC": as it was asked for.
std::string asked_text(const Arguments& arguments, const HistoryQuery& query) {
  std::vector<std::string> parts;
  if (!arguments.positional.empty())
    parts.push_back(fmt::format("workload {}", fmt::join(arguments.positional, ", ")));
  if (!query.variants.empty()) parts.push_back(fmt::format("variant {}", fmt::join(query.variants, ", ")));
  if (!query.device.empty()) parts.push_back("device " + query.device);
  if (!query.since.empty()) parts.push_back("since " + query.since);
  if (!query.commits.empty()) parts.push_back("the commits of --commits");
  parts.push_back("on " + query.hardware);
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// What compares two builds says how they differ, and nothing of one over time.
bool is_point(const Figure& figure) {
  const auto of_build = [&](const char* label) { return figure.variant.starts_with(label); };
  return (figure.figure || figure.time_ns) && std::ranges::none_of(harness::kBuildLabels, of_build);
}

}  // namespace

bool is_narrowed(const Arguments& arguments, const HistoryQuery& query) {
  return !arguments.positional.empty() || !query.variants.empty() || !query.since.empty() ||
         !query.commits.empty() || arguments.has("hardware") || query.device != RunConfig{}.device;
}

Result<std::string> unmatched_text(const Arguments& arguments, const HistoryQuery& query) {
  Result<std::optional<store::Store>> results = open_store_if_any(arguments);
  if (!results) return results.error();
  const auto figures =
      results->has_value() ? store::latest_figures(**results) : Result(std::vector<Figure>{});
  if (!figures) return figures.error();
  if (figures->empty()) return std::string("There are no results yet: `aisp run` makes them.\n");
  std::map<std::string, std::set<std::string>> there;  // workloads of each device
  for (const Figure& figure : *figures)
    if (is_point(figure)) there[figure.device + " on " + figure.hardware].insert(figure.workload);
  if (there.empty())
    return std::string(
        "No result here is a point of a history: `aisp run` makes them; comparisons of two builds and cells "
        "without a number do not count.\n");
  std::string text =
      "No result matches: " + report::visible(asked_text(arguments, query)) + ".\nThere are results of:\n";
  for (const auto& [where, workloads] : there)
    text += fmt::format("  {}: {} workload{}\n", report::visible(where), workloads.size(),
                        workloads.size() == 1 ? "" : "s");
  return text + "--hardware and --device choose among them; `aisp show --runs` lists the runs.\n";
}

}  // namespace aisp::cli
