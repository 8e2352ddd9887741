// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/anchor_search.h"

#include <algorithm>
#include <cmath>

#include "aisp/harness/interrupt.h"

namespace aisp::harness {
namespace {

/// The time of one call under a setting; infinite when the library cannot run with it (an instruction set the
/// processor lacks ends the worker).
double time_with(const VariantInfo& variant, const std::string& value, CellSpec cell, WorkerSetup setup) {
  setup.environment.emplace_back(variant.search_variable, value);
  cell.variants = {variant.name};
  Result<WorkerProcess> worker = WorkerProcess::start(setup);
  if (!worker) return HUGE_VAL;
  double fastest = HUGE_VAL;
  const Answer opened = worker->ask({.op = "open", .cell = cell}, "opened", [](WorkerReply&) {});
  if (!opened.ok()) return HUGE_VAL;
  const auto keep_fastest = [&](WorkerReply& reply) {
    if (!reply.round) return;
    for (const SlotReport& slot : reply.round->slots) fastest = std::min(fastest, slot.ns);
  };
  const Answer rounds = worker->ask({.op = "rounds", .first_round = 0, .count = 3}, "done", keep_fastest);
  return rounds.ok() ? fastest : HUGE_VAL;
}

}  // namespace

AnchorSettings search_anchors(const WorkloadInfo& workload, const CellSpec& cell, const WorkerSetup& setup) {
  AnchorSettings settings;
  for (const VariantInfo& variant : workload.variants) {
    const bool wanted =
        cell.variants.empty() || std::ranges::find(cell.variants, variant.name) != cell.variants.end();
    if (!wanted || variant.search_variable.empty() || interrupted() != 0) continue;
    // Rungs that share a library share its setting.
    const auto same = std::ranges::find(settings.environment, variant.search_variable,
                                        &std::pair<std::string, std::string>::first);
    if (same != settings.environment.end()) {
      settings.chosen[variant.name] = same->first + "=" + same->second;
      continue;
    }
    std::string best;
    double fastest = HUGE_VAL;
    for (const std::string& value : variant.search_values) {
      const double time = time_with(variant, value, cell, setup);
      if (time < fastest) {
        fastest = time;
        best = value;
      }
    }
    if (best.empty()) continue;
    settings.environment.emplace_back(variant.search_variable, best);
    settings.chosen[variant.name] = variant.search_variable + "=" + best;
  }
  return settings;
}

}  // namespace aisp::harness
