// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/compare_builds.h"

#include <algorithm>
#include <filesystem>

#include "aisp/cli/compare_forms.h"
#include "aisp/cli/planning.h"
#include "aisp/cli/run_config.h"
#include "aisp/harness/build_cell.h"
#include "aisp/harness/derive.h"

namespace aisp::cli {
namespace {

/// `--build OLD NEW` and `--build OLD --build NEW` mean the same. In the first form NEW arrives among the
/// workloads: it is the one that is a file, or else the last.
Result<std::vector<std::string>> take_builds(Arguments& arguments) {
  std::vector<std::string> builds = arguments.list("build");
  std::vector<std::string>& words = arguments.positional;
  if (builds.size() == 1 && !words.empty()) {
    const auto is_file = [](const std::string& word) {
      std::error_code ignored;
      return std::filesystem::is_regular_file(word, ignored);
    };
    auto second = std::ranges::find_if(words, is_file);
    if (second == words.end() && words.size() > 1) second = std::prev(words.end());
    if (second != words.end()) {
      builds.push_back(*second);
      words.erase(second);
    }
  }
  if (builds.size() != 2)
    return Error{ErrorCode::usage, "--build needs two programs or plugins", "--build OLD NEW"};
  for (std::string& build : builds) build = absolute_path(build);
  return builds;
}

void add_lines(const CellResult& cell, const harness::PlannedCell& planned, const stats::SequentialPlan& plan,
               double equivalence, ComparisonAnswer& answer) {
  for (const harness::VariantInfo& info : planned.workload.variants) {
    const std::string what = cell.workload + " " + cell.parameters + " " + info.name;
    const VariantResult* a = cell.find(harness::labelled(0, info.name));
    const VariantResult* b = cell.find(harness::labelled(1, info.name));
    if (a == nullptr && b == nullptr) continue;  // not asked for
    if (a == nullptr || b == nullptr) {
      answer.left_out.push_back(what + ": only in the " + (a == nullptr ? "new" : "old") + " build");
      continue;
    }
    if (!a->skipped.empty() || !b->skipped.empty()) {
      answer.left_out.push_back(what + ": " + (a->skipped.empty() ? b->skipped : a->skipped));
      continue;
    }
    answer.lines.push_back(*build_line(cell, info.name, plan, equivalence));
  }
}

}  // namespace

std::optional<ComparisonLine> build_line(const CellResult& cell, const std::string& variant,
                                         const stats::SequentialPlan& plan, double equivalence) {
  const VariantResult* a = cell.find(harness::labelled(0, variant));
  const VariantResult* b = cell.find(harness::labelled(1, variant));
  if (a == nullptr || b == nullptr || !a->skipped.empty() || !b->skipped.empty()) return std::nullopt;
  return line_of(cell.workload + " " + cell.parameters + " " + variant, *a, *b,
                 harness::compare_pair(cell, *a, *b, plan, equivalence));
}

Result<MeasuredPairs> measure_builds(const Arguments& arguments, const std::vector<std::string>& builds) {
  Result<RunConfig> config = run_config_of(arguments);
  if (!config) return config.error();
  config->builds = builds;
  const auto cells = cells_of(*config);
  if (!cells) return cells.error();
  return measure_pairs(
      arguments, *config, *cells, {.first = builds[0], .second = builds[1], .lines = {}},
      [&](const CellResult& cell, const harness::PlannedCell& planned, const stats::SequentialPlan& plan,
          ComparisonAnswer& answer) { add_lines(cell, planned, plan, config->equivalence, answer); });
}

int compare_builds(const Arguments& arguments) {
  Arguments narrowed = arguments;
  const auto builds = take_builds(narrowed);
  if (!builds) return fail(arguments, builds.error());
  return print_measured(arguments, measure_builds(narrowed, *builds));
}

}  // namespace aisp::cli
