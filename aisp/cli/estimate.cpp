// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/estimate.h"

#include <algorithm>
#include <ctime>
#include <set>

#include "aisp/cli/planning.h"
#include "aisp/device/cpu/topology.h"
#include "aisp/harness/cell_attempts.h"
#include "aisp/harness/free_memory.h"
#include "aisp/harness/worker_process.h"

namespace aisp::cli {
namespace {

using harness::CellSize;
using harness::PlannedCell;

constexpr double kWorkerSeconds = 0.15;  // to start a process, load it and warm it up
constexpr double kFromFloor = 10;        // a typical rung takes this many times the least possible
constexpr double kChecking = 3;          // drawing inputs and checking answers, as a multiple of the calls
constexpr double kPlainRate = 10e9;      // bytes and operations per second where no ceiling is known

/// Seconds between two dates of a record; nothing when one is missing.
std::optional<double> seconds_between(const std::string& from, const std::string& to) {
  std::tm first{}, second{};
  if (strptime(from.c_str(), "%Y-%m-%dT%H:%M:%SZ", &first) == nullptr) return std::nullopt;
  if (strptime(to.c_str(), "%Y-%m-%dT%H:%M:%SZ", &second) == nullptr) return std::nullopt;
  return std::difftime(timegm(&second), timegm(&first));
}

std::vector<std::string> chosen_variants(const PlannedCell& cell, const RunConfig& config) {
  std::vector<std::string> names;
  for (const harness::VariantInfo& v : cell.workload.variants) {
    if (harness::is_chosen(config.variants, v.name)) names.push_back(v.name);
  }
  return names;
}

/// As long as last time, less or more by the change of its cap.
std::optional<CellEstimate> from_history(const PlannedCell& cell, const RunConfig& config,
                                         store::Store& history) {
  const auto found = history.cells({.limit = 5,
                                    .workload = cell.workload.id,
                                    .parameters = cell.params.text(),
                                    .hardware = device::hardware_key()});
  if (!found) return std::nullopt;
  for (const store::CellSummary& summary : *found) {
    const Result<CellResult> stored = history.load_cell(summary.seq);
    const Result<RunRecord> run = history.load(summary.run);
    if (!stored || !run || stored->variants.empty()) continue;
    const RunConfig& then = run->manifest.config;
    if (then.builds.size() != config.builds.size() || then.attempts != config.attempts) continue;
    if (stored->stopped != "precise" && stored->stopped != "time" && stored->stopped != "looks") continue;
    const auto took = seconds_between(stored->started, stored->finished);
    if (!took || *took < 0) continue;  // the wall clock was set back meanwhile
    double seconds = *took;
    const double beside_sampling = std::max(0.0, *took - then.cell_seconds);
    if (stored->stopped == "time" || config.cell_seconds < then.cell_seconds)
      seconds = std::min(seconds, beside_sampling + config.cell_seconds);
    if (stored->stopped == "time" && config.cell_seconds > then.cell_seconds)
      seconds = beside_sampling + config.cell_seconds;
    return CellEstimate{.needed_bytes = std::nullopt,
                        .refused = std::nullopt,
                        .seconds = std::max(seconds, 0.5),  // dates are whole seconds
                        .basis = "run " + summary.run};
  }
  return std::nullopt;
}

/// Asks workload code how large its problems are, in a worker that may not survive the question.
class SizeQuestion {
 public:
  explicit SizeQuestion(const RunConfig& config) : config_(config) {}

  Result<CellSize> ask(const PlannedCell& cell) {
    if (!worker_) {
      harness::WorkerSetup setup{.plugins = config_.plugins};
      if (!config_.builds.empty()) setup = setup_for(config_.builds.front(), config_);
      setup.limits = harness::limits_of(config_);
      Result<harness::WorkerProcess> started = harness::WorkerProcess::start(setup);
      if (!started) return started.error();
      worker_.emplace(*std::move(started));
    }
    std::optional<CellSize> size;
    const harness::CellSpec spec{.workload = cell.workload.id, .params = cell.params.entries()};
    const harness::Answer answer = worker_->ask({.op = "size", .cell = spec}, "sized",
                                                [&](harness::WorkerReply& reply) { size = reply.size; });
    if (answer.end) worker_.reset();
    if (answer.error) return *answer.error;
    if (answer.end) return Error{ErrorCode::workload, answer.end->status + ": " + answer.end->detail, ""};
    return size.value_or(CellSize{});
  }

 private:
  const RunConfig& config_;
  std::optional<harness::WorkerProcess> worker_;
};

}  // namespace

double guess_seconds(const PlannedCell& cell, const CellSize& size, const RunConfig& config,
                     const Ceilings& ceilings) {
  const Work work{.bytes = size.work_bytes, .flops = size.work_flops};
  const auto floor = floor_of(work, size.needed_bytes, threads_of(cell.params), ceilings);
  const double least = floor ? floor->ns * 1e-9 : (size.work_bytes + size.work_flops) / kPlainRate;
  const double call = kFromFloor * least;
  const auto variants = static_cast<double>(chosen_variants(cell, config).size()) *
                        std::max<double>(1, static_cast<double>(config.builds.size()));
  const double round = kChecking * variants * call;
  const double opening = config.attempts * (kWorkerSeconds + round);
  const double wanted = std::min(config.cell_seconds, config.looks.back() * round);
  const double needed = std::min(harness::kFewestRounds * round, harness::kPatience * config.cell_seconds);
  const double memory = variants * (kWorkerSeconds + kChecking * call);
  double search = 0;
  std::set<std::string> variables;
  for (const harness::VariantInfo& v : cell.workload.variants) {
    if (v.search_variable.empty() || !variables.insert(v.search_variable).second) continue;
    search += static_cast<double>(v.search_values.size()) * (kWorkerSeconds + 4 * kChecking * call);
  }
  return opening + std::max(wanted, needed) + memory + search;
}

std::optional<Error> refusal_of(const PlannedCell& cell, const RunConfig& config) {
  if (kind_of(config.device) != DeviceKind::cpu) return std::nullopt;
  const Result<CellSize> size = SizeQuestion(config).ask(cell);
  if (!size && size.error().code == ErrorCode::workload) return std::nullopt;
  if (!size) return size.error();
  const Status fits = harness::fits_memory(size->needed_bytes, config.memory_limit_bytes);
  return fits ? std::nullopt : std::optional(fits.error());
}

std::vector<CellEstimate> estimate_cells(const std::vector<PlannedCell>& cells, const RunConfig& config,
                                         store::Store* history) {
  Ceilings ceilings;
  if (history != nullptr) {
    const auto stored = history->latest_ceilings(device::hardware_key());
    if (stored && stored->has_value()) ceilings = **stored;
  }
  SizeQuestion question(config);
  std::vector<CellEstimate> estimates;
  for (const PlannedCell& cell : cells) {
    CellEstimate estimate;
    const Result<CellSize> size = question.ask(cell);
    if (!size) {
      estimate.refused = size.error();
    } else if (const Status fits = harness::fits_memory(size->needed_bytes, config.memory_limit_bytes);
               !fits) {
      estimate.refused = fits.error();
    }
    if (!estimate.refused) {
      const auto earlier = history != nullptr ? from_history(cell, config, *history) : std::nullopt;
      if (earlier) estimate = *earlier;
      if (!earlier) {
        estimate.seconds = guess_seconds(cell, *size, config, ceilings);
        estimate.basis = "a guess";
      }
    }
    if (size) estimate.needed_bytes = size->needed_bytes;
    estimates.push_back(std::move(estimate));
  }
  return estimates;
}

}  // namespace aisp::cli
