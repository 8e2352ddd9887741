// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/compare_forms.h"

#include <algorithm>

#include "aisp/cli/compare_measured.h"
#include "aisp/cli/planning.h"
#include "aisp/cli/run_config.h"
#include "aisp/harness/derive.h"

namespace aisp::cli {
namespace {

bool has_variant(const harness::PlannedCell& cell, const std::string& name) {
  const auto& variants = cell.workload.variants;
  return std::ranges::find(variants, name, &harness::VariantInfo::name) != variants.end();
}

}  // namespace

int compare_variants(const Arguments& arguments) {
  const std::string &first = arguments.positional[1], &second = arguments.positional[2];
  if (first == second) {
    return fail(arguments, {ErrorCode::usage, "'" + first + "' is named twice",
                            "every run compares the baseline with itself: its A/A line"});
  }
  Arguments narrowed = arguments;
  narrowed.positional = {arguments.positional.front()};
  narrowed.values["variant"] = {first, second};
  Result<RunConfig> config = run_config_of(narrowed);
  if (!config) return fail(arguments, config.error());
  auto cells = cells_of(*config);
  if (!cells) return fail(arguments, cells.error());
  // A pattern may choose workloads that have only one of the two.
  std::erase_if(*cells, [&](const harness::PlannedCell& cell) {
    return !has_variant(cell, first) || !has_variant(cell, second);
  });
  if (cells->empty()) {
    return fail(arguments, {ErrorCode::usage,
                            "no workload of '" + arguments.positional.front() + "' has both '" + first +
                                "' and '" + second + "'",
                            "`aisp list " + arguments.positional.front() + "` shows the variants"});
  }
  return print_measured(
      arguments,
      measure_pairs(arguments, *config, *cells, {.first = first, .second = second, .lines = {}},
                    [&](const CellResult& cell, const harness::PlannedCell&,
                        const stats::SequentialPlan& plan, ComparisonAnswer& answer) {
                      const std::string name = cell.workload + " " + cell.parameters;
                      const VariantResult *a = cell.find(first), *b = cell.find(second);
                      if (a == nullptr || b == nullptr || !a->skipped.empty() || !b->skipped.empty()) {
                        answer.left_out.push_back(name + ": not every variant ran here");
                        return;
                      }
                      answer.lines.push_back(line_of(
                          name, *a, *b, harness::compare_pair(cell, *a, *b, plan, config->equivalence)));
                    }));
}

}  // namespace aisp::cli
