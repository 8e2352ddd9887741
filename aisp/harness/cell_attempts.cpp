// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/cell_attempts.h"

#include <algorithm>

#include "aisp/harness/date.h"
#include "aisp/harness/free_memory.h"

namespace aisp::harness {
CellSpec spec_of(const PlannedCell& cell, const RunConfig& config, const std::string& scratch) {
  return {.workload = cell.workload.id,
          .params = cell.params.entries(),
          .device = config.device,
          .variants = config.variants,
          .cache = config.cache,
          .huge_pages = config.huge_pages,
          .pin = config.pin,
          .seconds = config.cell_seconds,
          .scratch = scratch};
}

WorkerLimits limits_of(const RunConfig& config) {
  const double limit = config.memory_limit_bytes;
  return {.silence_seconds = config.timeout_seconds,
          .memory_bytes = limit > 0 ? limit : 0.9 * free_memory_bytes()};
}

bool is_chosen(const std::vector<std::string>& choice, const std::string& variant) {
  return choice.empty() || std::ranges::find(choice, variant) != choice.end();
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
