// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/anchor_search.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "aisp/harness/interrupt.h"

namespace aisp::harness {
namespace {

/// All settings are tried in turn, so that a busy second hits all alike; then only those within kClose of the
/// fastest go on. What is still that close at the end differs by less than a measurement of it would.
constexpr int kRounds = 5;
constexpr int kMoreRounds = 10;
constexpr double kClose = 1.1;
constexpr std::chrono::seconds kEnough{3};  ///< after which no more rounds are asked for

/// A setting and the worker that runs the library with it; without one when the library cannot (an
/// instruction set the processor lacks ends the worker).
struct Candidate {
  std::string value;
  std::optional<WorkerProcess> worker = std::nullopt;
  double fastest = HUGE_VAL;
};

Candidate open_with(const VariantInfo& variant, const std::string& value, CellSpec cell, WorkerSetup setup) {
  setup.environment.emplace_back(variant.search_variable, value);
  cell.variants = {variant.name};
  Candidate candidate{.value = value};
  Result<WorkerProcess> worker = WorkerProcess::start(setup);
  if (!worker) return candidate;
  if (worker->ask({.op = "open", .cell = cell}, "opened", [](WorkerReply&) {}).ok())
    candidate.worker = *std::move(worker);
  return candidate;
}

void try_once(Candidate& candidate, int round) {
  const auto keep_fastest = [&](WorkerReply& reply) {
    if (!reply.round) return;
    for (const SlotReport& slot : reply.round->slots)
      candidate.fastest = std::min(candidate.fastest, slot.ns);
  };
  const Answer answer =
      candidate.worker->ask({.op = "rounds", .first_round = round, .count = 1}, "done", keep_fastest);
  if (answer.ok()) return;
  candidate.worker.reset();
  candidate.fastest = HUGE_VAL;
}

/// The fastest setting; empty when the library runs with none.
std::string best_setting(const VariantInfo& variant, const CellSpec& cell, const WorkerSetup& setup) {
  std::vector<Candidate> candidates;
  for (const std::string& value : variant.search_values)
    candidates.push_back(open_with(variant, value, cell, setup));
  const auto faster = [](const Candidate& a, const Candidate& b) { return a.fastest < b.fastest; };
  const auto end = std::chrono::steady_clock::now() + kEnough;
  for (int round = 0; round < kRounds + kMoreRounds && interrupted() == 0; ++round) {
    if (round >= kRounds && std::chrono::steady_clock::now() > end) break;
    if (round == kRounds) {
      const double limit = kClose * std::ranges::min_element(candidates, faster)->fastest;
      std::erase_if(candidates, [&](const Candidate& c) { return !(c.fastest <= limit); });
      if (candidates.size() == 1) break;
    }
    for (Candidate& candidate : candidates) {
      if (candidate.worker) try_once(candidate, round);
    }
    std::erase_if(candidates, [](const Candidate& c) { return !c.worker; });
    if (candidates.empty()) return "";
  }
  // What was tried until the user stopped it says nothing about which is best.
  if (candidates.empty() || interrupted() != 0) return "";
  return std::ranges::min_element(candidates, faster)->value;
}

}  // namespace

AnchorSettings search_anchors(const WorkloadInfo& workload, const CellSpec& cell, const WorkerSetup& setup) {
  AnchorSettings settings;
  for (const VariantInfo& variant : workload.variants) {
    if (!is_chosen(cell.variants, variant.name) || variant.search_variable.empty() || interrupted() != 0)
      continue;
    // Rungs that share a library share its setting.
    const auto same = std::ranges::find(settings.environment, variant.search_variable,
                                        &std::pair<std::string, std::string>::first);
    if (same != settings.environment.end()) {
      settings.chosen[variant.name] = same->first + "=" + same->second;
      continue;
    }
    const std::string best = best_setting(variant, cell, setup);
    if (best.empty()) continue;
    settings.environment.emplace_back(variant.search_variable, best);
    settings.chosen[variant.name] = variant.search_variable + "=" + best;
  }
  return settings;
}

}  // namespace aisp::harness
