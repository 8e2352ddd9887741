// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/cell_attempts.h"

#include <algorithm>

#include <unistd.h>

#include "aisp/core/configuration.h"
#include "aisp/harness/date.h"
#include "aisp/harness/free_memory.h"

namespace aisp::harness {
namespace {

/// Addresses that libraries reserve and never fill: for each thread a stack of 8 MiB and an arena of up to
/// 128 MiB, and there may be a pool of threads in every library.
double reserved_by_libraries() {
  constexpr double kMiB = 1 << 20;
  return 1024 * kMiB + 512 * kMiB * static_cast<double>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

/// Whoever waives these wants the figures of a variant that answers so.
bool waives_answers(const RunConfig& config) {
  return std::ranges::any_of(config.waivers, [](const std::string& guard) {
    return guard == "answer_right" || guard == "inputs_unchanged" || guard == "bounds_respected";
  });
}

}  // namespace

CellSpec spec_of(const PlannedCell& cell, const RunConfig& config, const std::string& scratch) {
  CellSpec spec{.workload = cell.workload.id,
                .params = cell.params.entries(),
                .device = config.device,
                .variants = config.variants,
                .cache = config.cache,
                .huge_pages = config.huge_pages,
                .pin = config.pin,
                .graph = config.graph,
                .seconds = config.cell_seconds,
                .wrong_counts = waives_answers(config),
                .memory_limit = config.memory_limit_bytes,
                .scratch = scratch};
  // A configuration is in the plan because it was asked for, at this size perhaps and no other.
  for (const VariantInfo& variant : cell.workload.variants)
    if (is_configuration(variant.name) && !is_chosen(spec.variants, variant.name))
      spec.variants.push_back(variant.name);
  return spec;
}

WorkerLimits limits_of(const RunConfig& config) {
  const double given = config.memory_limit_bytes;
  WorkerLimits limits{.silence_seconds = config.timeout_seconds,
                      .memory_bytes = given > 0 ? given : 0.9 * free_memory_bytes()};
  // CUDA reserves addresses for all memory of the machine and of its devices: it could not start.
  if (limits.memory_bytes > 0 && kind_of(config.device) == DeviceKind::cpu)
    limits.address_space_bytes = given > 0 ? given : limits.memory_bytes + reserved_by_libraries();
  return limits;
}

std::vector<std::pair<std::string, std::string>> environment_of(const RunConfig& config) {
  if (kind_of(config.device) == DeviceKind::cpu) return {};
  // A kernel that is loaded when it is first called waits for the device, which the gate holds.
  return {{"CUDA_MODULE_LOADING", "EAGER"}};
}

bool time_is_up(const CellResult& cell, int rounds, double seconds, const RunConfig& config) {
  if (seconds < config.cell_seconds) return false;
  int fewest = rounds;
  for (const VariantResult& v : cell.variants) {
    if (v.skipped.empty()) fewest = std::min(fewest, static_cast<int>(v.samples.size()));
  }
  return fewest >= kFewestRounds || seconds > kPatience * config.cell_seconds;
}

std::size_t begin_attempt(CellResult& cell, int number) {
  cell.attempts.push_back({.attempt = number, .status = "running", .started = utc_now()});
  return cell.attempts.size() - 1;
}

void finish_attempt(AttemptRecord& record) {
  record.status = "finished";
  record.finished = utc_now();
}

void end_attempt(AttemptRecord& record, const WorkerEnd& end, const std::string& variant) {
  record.status = end.status;
  record.detail = end.detail;
  record.variant = variant;
  record.finished = utc_now();
}

void abandon_attempts(CellResult& cell) {
  for (AttemptRecord& record : cell.attempts) {
    if (record.status == "running") record.status = "abandoned";
  }
}

WorkerEnd end_of(const Answer& answer) {
  return answer.end ? *answer.end : WorkerEnd{"broke the protocol", answer.error->message, ""};
}

}  // namespace aisp::harness
