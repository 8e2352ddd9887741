// SPDX-License-Identifier: Apache-2.0
#include <random>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "aisp/cli/planning.h"
#include "aisp/cli/tune_parts.h"
#include "aisp/core/configuration.h"
#include "aisp/harness/cell.h"
#include "aisp/harness/held_out.h"

namespace aisp::cli {
namespace {

using harness::PlannedCell;

Error nothing_to_tune(const std::vector<std::string>& targets) {
  return {ErrorCode::usage, fmt::format("nothing of {} declares parameters to tune", fmt::join(targets, " ")),
          "`aisp list WORKLOAD` shows which variants do; CONTRIBUTING.md says how to declare them"};
}

std::vector<Params> sizes_of(const std::vector<PlannedCell>& cells, const std::string& workload) {
  std::vector<Params> sizes;
  for (const PlannedCell& cell : cells)
    if (cell.workload.id == workload) sizes.push_back(cell.params);
  return sizes;
}

/// As --held-out names them; axes that it does not name are those of the tuned size.
Result<std::vector<Params>> named_sizes(const Arguments& arguments, const RunConfig& config,
                                        const PlannedCell& cell) {
  RunConfig named = config;
  named.targets = {cell.workload.id};
  named.variants.clear();
  named.parameters.clear();
  for (const auto& [axis, value] : cell.params.entries())
    named.parameters.push_back(axis + "=" + std::to_string(value));
  for (const std::string& text : arguments.list("held-out")) named.parameters.push_back(text);
  const auto cells = cells_of(named);
  if (!cells) return cells.error();
  std::vector<Params> sizes = sizes_of(*cells, cell.workload.id);
  std::erase(sizes, cell.params);
  return sizes;
}

}  // namespace

Result<std::vector<TuneTask>> tune_tasks(const Arguments& arguments, const RunConfig& config) {
  RunConfig asked = config;
  const auto cells = cells_of(asked);
  if (!cells) return cells.error();
  asked.variants.clear();
  RunConfig whole = asked;
  whole.parameters.clear();
  whole.suite = "full";
  const auto listed = cells_of(whole);
  if (!listed) return listed.error();
  std::vector<TuneTask> tasks;
  for (const PlannedCell& cell : *cells) {
    const std::string& id = cell.workload.id;
    Result<std::vector<Params>> held_out =
        arguments.has("held-out") ? named_sizes(arguments, asked, cell)
                                  : harness::held_out_sizes(cell.workload, cell.params, sizes_of(*cells, id),
                                                            sizes_of(*listed, id), std::random_device{}());
    if (!held_out) return held_out.error();
    for (const harness::VariantInfo& variant : cell.workload.variants)
      if (!variant.tunables.empty() && !is_configuration(variant.name) &&
          harness::is_chosen(config.variants, variant.name))
        tasks.push_back({cell, variant.name, *held_out});
  }
  if (tasks.empty()) return nothing_to_tune(config.targets);
  return tasks;
}

}  // namespace aisp::cli
