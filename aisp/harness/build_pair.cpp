// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/build_pair.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <random>

#include "aisp/harness/scratch.h"
#include "aisp/stats/compare.h"
#include "aisp/stats/summary.h"

namespace aisp::harness {
namespace {

using Time = std::chrono::steady_clock;

/// One attempt: a worker of each build.
struct Pair {
  std::array<WorkerProcess, 2> sides;
};

/// What both sides measured, per variant: log ratios by attempt, and all times of each side.
struct Gathered {
  std::map<std::string, std::vector<std::vector<double>>> log_ratios;
  std::map<std::string, std::array<std::vector<double>, 2>> times;
};

std::map<std::string, double> times_of(const RoundReport& report) {
  std::map<std::string, double> times;
  for (const SlotReport& slot : report.slots) {
    if (!slot.again) times[slot.variant] = slot.ns;
  }
  return times;
}

Error ended(const WorkerEnd& end, int side) {
  return {ErrorCode::workload,
          std::string(side == 0 ? "the first" : "the second") + " build " + end.status +
              (end.variant.empty() ? "" : " in variant '" + end.variant + "'") + ": " + end.detail,
          "`aisp verify` with that build says more"};
}

class BuildPairing {
 public:
  BuildPairing(const PlannedCell& cell, const RunConfig& config, std::array<WorkerSetup, 2> setups)
      : cell_(cell), config_(config), setups_(std::move(setups)) {}

  Status open(const std::string& scratch) {
    for (int a = 0; a < config_.attempts; ++a) {
      std::vector<WorkerProcess> sides;
      for (int side = 0; side < 2; ++side) {
        Result<WorkerProcess> worker = WorkerProcess::start(setups_[static_cast<std::size_t>(side)]);
        if (!worker) return worker.error();
        const CellSpec spec{.workload = cell_.workload.id,
                            .params = cell_.params.entries(),
                            .device = config_.device,
                            .variants = config_.variants,
                            .cache = config_.cache,
                            .huge_pages = config_.huge_pages,
                            .pin = config_.pin,
                            .scratch = scratch};
        const Answer answer = worker->ask({.op = "open", .cell = spec}, "opened", [](WorkerReply&) {});
        if (answer.error) return *answer.error;
        if (answer.end) return ended(*answer.end, side);
        sides.push_back(std::move(*worker));
      }
      pairs_.push_back({{std::move(sides[0]), std::move(sides[1])}});
    }
    return Ok{};
  }

  /// One round of each side, in an order that is random and mirrored in the next round.
  Status round(int index) {
    const std::size_t attempt = static_cast<std::size_t>(index) % pairs_.size();
    const bool swap = ((random_() & 1u) != 0) != (index / static_cast<int>(pairs_.size()) % 2 == 1);
    std::array<std::map<std::string, double>, 2> times;
    bool discarded = false;
    for (const int side : {swap ? 1 : 0, swap ? 0 : 1}) {
      WorkerProcess& worker = pairs_[attempt].sides[static_cast<std::size_t>(side)];
      const Answer answer =
          worker.ask({.op = "rounds", .first_round = index, .count = 1}, "done", [&](WorkerReply& reply) {
            if (!reply.round) return;
            times[static_cast<std::size_t>(side)] = times_of(*reply.round);
            discarded = discarded || !reply.round->discarded.empty();
          });
      if (answer.error) return *answer.error;
      if (answer.end) return ended(*answer.end, side);
    }
    if (discarded) return Ok{};
    for (const auto& [variant, first] : times[0]) {
      const auto second = times[1].find(variant);
      if (second == times[1].end()) continue;
      auto& ratios = gathered_.log_ratios[variant];
      ratios.resize(pairs_.size());
      ratios[attempt].push_back(std::log(first / second->second));
      gathered_.times[variant][0].push_back(first);
      gathered_.times[variant][1].push_back(second->second);
    }
    return Ok{};
  }

  std::vector<BuildComparison> compare(const stats::SequentialPlan& plan, int look) const {
    std::vector<BuildComparison> comparisons;
    for (const auto& [variant, ratios] : gathered_.log_ratios) {
      const stats::Comparison c = stats::compare({ratios}, plan, look, config_.equivalence);
      const auto& times = gathered_.times.at(variant);
      comparisons.push_back({.workload = cell_.workload.id,
                             .parameters = cell_.params.text(),
                             .variant = variant,
                             .ratio = {.against = "first build",
                                       .ratio = c.ratio,
                                       .low = c.low,
                                       .high = c.high,
                                       .confidence = c.confidence,
                                       .rounds = c.rounds,
                                       .method = c.method,
                                       .outcome = static_cast<Outcome>(c.decision.outcome),
                                       .small = c.decision.small},
                             .first_ns = stats::median(times[0]),
                             .second_ns = stats::median(times[1])});
    }
    return comparisons;
  }

 private:
  const PlannedCell& cell_;
  const RunConfig& config_;
  std::array<WorkerSetup, 2> setups_;
  std::vector<Pair> pairs_;
  Gathered gathered_;
  std::mt19937 random_{std::random_device{}()};
};

}  // namespace

Result<std::vector<BuildComparison>> compare_builds(const PlannedCell& cell, const RunConfig& config,
                                                    const WorkerSetup& first, const WorkerSetup& second,
                                                    const std::function<void(double)>& progress) {
  Result<Scratch> scratch = Scratch::make();
  if (!scratch) return scratch.error();
  BuildPairing pairing(cell, config, {first, second});
  if (const Status opened = pairing.open(scratch->text()); !opened) return opened.error();
  const stats::SequentialPlan plan(config.looks, config.alpha);
  const auto started = Time::now();
  const auto up = [&] {
    return std::chrono::duration<double>(Time::now() - started).count() > config.cell_seconds;
  };
  int rounds = 0;
  std::vector<BuildComparison> comparisons;
  for (int look = 0; look < plan.look_count(); ++look) {
    while (rounds < plan.looks()[static_cast<std::size_t>(look)] && !(up() && rounds >= 12)) {
      if (const Status done = pairing.round(rounds++); !done) return done.error();
      progress(static_cast<double>(rounds) / plan.looks().back());
    }
    comparisons = pairing.compare(plan, look);
    const bool precise = std::ranges::all_of(comparisons, [&](const BuildComparison& c) {
      return (c.ratio.high - c.ratio.low) / (2 * c.ratio.ratio) <= config.precision;
    });
    if (precise || up()) break;
  }
  return comparisons;
}

}  // namespace aisp::harness
