// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/configured.h"

#include <algorithm>

#include "aisp/core/configuration.h"

namespace aisp::harness {
namespace {

Status add_configuration(std::vector<VariantInfo>& ladder, const std::string& name) {
  const auto declared = std::ranges::find(ladder, declared_name(name), &VariantInfo::name);
  if (declared == ladder.end() || std::ranges::find(ladder, name, &VariantInfo::name) != ladder.end())
    return Ok{};
  const auto chosen = chosen_in(name, declared->tunables);
  if (!chosen) return chosen.error();
  VariantInfo configured = *declared;
  configured.name = name;
  configured.tunables = *chosen;
  ladder.push_back(std::move(configured));
  return Ok{};
}

}  // namespace

std::string cell_name(const PlannedCell& cell) { return cell.workload.id + " " + cell.params.text(); }

Status add_configurations(PlannedCell& cell, const RunConfig& config) {
  std::vector<std::string> names;
  for (const std::string& name : config.variants)
    if (is_configuration(name)) names.push_back(name);
  for (const auto& [where, name] : config.tuned)
    if (where == cell_name(cell)) names.push_back(name);
  for (const std::string& name : names)
    if (const Status added = add_configuration(cell.workload.variants, name); !added) return added.error();
  return Ok{};
}

std::vector<VariantInfo> configurations_of(const VariantInfo& variant) {
  std::vector<VariantInfo> all;
  const std::vector<Params> values = all_values(variant.tunables);
  for (std::size_t i = 1; i < values.size(); ++i) {
    VariantInfo& configured = all.emplace_back(variant);
    configured.name = configuration_name(variant.name, values[i]);
    for (Tunable& tunable : configured.tunables) tunable.fallback = values[i][tunable.name];
  }
  return all;
}

}  // namespace aisp::harness
