// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/run_combinations.h"

#include <algorithm>

#include "aisp/cli/catalogue.h"
#include "aisp/core/combinations.h"
#include "aisp/harness/plan.h"

namespace aisp::cli {
namespace {

using harness::VariantInfo;
using harness::WorkloadInfo;

bool combines(const VariantInfo& variant) { return is_combination(variant.name); }

void add(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

}  // namespace

std::vector<std::string> with_techniques(const std::vector<WorkloadInfo>& catalogue, DeviceKind device) {
  std::vector<std::string> names;
  for (const WorkloadInfo& workload : catalogue)
    if (workload.device == device && std::ranges::any_of(workload.variants, combines))
      add(names, workload.id);
  return names;
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > kMost ? text + " and " + std::to_string(names.size() - kMost) + " more" : text;
}

Status ask_for_combinations(RunConfig& config) {
  if (!config.variants.empty()) {
    return Error{ErrorCode::usage, "--combinations measures every subset, --variant only what it names",
                 "leave one of them out"};
  }
  const auto catalogue = load_catalogue(config.plugins);
  if (!catalogue) return catalogue.error();
  const std::vector<std::string> able = with_techniques(*catalogue, kind_of(config.device));
  std::vector<std::string> chosen;
  for (const std::string& target : config.targets) {
    const auto matches = harness::match_target(*catalogue, target);
    if (matches.empty()) return harness::no_match(*catalogue, target);
    for (const WorkloadInfo* match : matches) {
      if (match->device != kind_of(config.device) || std::ranges::find(able, match->id) == able.end())
        continue;
      add(chosen, match->id);
      for (const VariantInfo& variant : match->variants)
        if (combines(variant)) add(config.variants, variant.name);
    }
  }
  if (chosen.empty()) {
    return Error{
        ErrorCode::usage, "none of the chosen workloads declares techniques that combine",
        able.empty() ? "CONTRIBUTING.md says how a workload declares them" : "these do: " + listed(able)};
  }
  config.targets = std::move(chosen);
  return Ok{};
}

}  // namespace aisp::cli
