// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/tunings.h"

#include <algorithm>

#include <fmt/format.h>

#include "aisp/cli/hardware.h"
#include "aisp/cli/program_files.h"
#include "aisp/cli/results.h"
#include "aisp/core/configuration.h"
#include "aisp/harness/cell.h"
#include "aisp/harness/configured.h"

namespace aisp::cli {

const std::string& TuningKeys::build_of(const harness::WorkloadInfo& workload) {
  const auto [known, is_new] = builds_.try_emplace(workload.plugin);
  if (!is_new) return known->second;
  RunConfig own;
  if (!workload.plugin.empty()) own.plugins = {workload.plugin};
  for (const std::string& file : ProgramFiles::programs(ProgramFiles(own).facts()))
    known->second += (known->second.empty() ? "" : "+") + file;
  return known->second;
}

Tuning TuningKeys::of(const harness::PlannedCell& cell, const std::string& variant) {
  Tuning key;
  key.workload = cell.workload.id;
  key.variant = variant;
  key.parameters = cell.params.text();
  key.device = std::string(name_of(kind_of(config_.device)));  // two GPUs of a kind are one device
  key.hardware = hardware_;
  key.build = build_of(cell.workload);
  key.cache = config_.cache;
  key.graph = config_.graph;
  return key;
}

const Tuning* find_tuning(const std::vector<Tuning>& tunings, const Tuning& key) {
  const auto found =
      std::ranges::find_if(tunings, [&](const Tuning& tuning) { return tuning.same_key(key); });
  return found == tunings.end() ? nullptr : &*found;
}

Status use_tunings(const Arguments& arguments, RunConfig& config,
                   const std::vector<harness::PlannedCell>& cells) {
  const Result<std::string> hardware = hardware_of(config.device);
  if (!hardware) return hardware.error();
  auto results = open_store_if_any(arguments);
  if (!results) return results.error();
  std::vector<Tuning> known;
  if (results->has_value()) {
    auto stored = (*results)->tunings(*hardware);
    if (!stored) return stored.error();
    known = *std::move(stored);
  }
  TuningKeys keys(config, *hardware);
  int open = 0, found = 0;
  for (const harness::PlannedCell& cell : cells) {
    for (const harness::VariantInfo& variant : cell.workload.variants) {
      if (variant.tunables.empty() || is_configuration(variant.name) ||
          !harness::is_chosen(config.variants, variant.name))
        continue;
      ++open;
      const Tuning* tuning = find_tuning(known, keys.of(cell, variant.name));
      if (tuning == nullptr) continue;
      ++found;
      config.tuned.emplace_back(harness::cell_name(cell), tuning->chosen);
    }
  }
  warn(arguments,
       open == 0 ? "--tuned: none of these workloads declares parameters to tune"
                 : fmt::format("--tuned: tuned values for {} of {}; this size, device and build count", found,
                               open == 1 ? "1 variant" : fmt::format("{} variants and sizes", open)));
  return Ok{};
}

}  // namespace aisp::cli
