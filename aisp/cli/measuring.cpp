// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/measuring.h"

#include <algorithm>
#include <chrono>
#include <random>

#include <fmt/format.h>

#include "aisp/cli/estimate.h"
#include "aisp/cli/hardware.h"
#include "aisp/cli/program_files.h"
#include "aisp/cli/run_ceilings.h"
#include "aisp/cli/run_config.h"
#include "aisp/cli/version.h"
#include "aisp/core/exit_code.h"
#include "aisp/core/method.h"
#include "aisp/device/cpu/topology.h"
#include "aisp/harness/build_pair.h"
#include "aisp/harness/cell_evidence.h"
#include "aisp/harness/date.h"
#include "aisp/harness/interrupt.h"
#include "aisp/probes/hardware_facts.h"
#include "aisp/probes/manifest_facts.h"
#include "aisp/report/summary.h"
#include "aisp/store/postgres_url.h"

namespace aisp::cli {
namespace {

using Time = std::chrono::steady_clock;
using harness::PlannedCell;

/// A cell that cannot be measured here, as a result: what it was and why not, so that the store says it too.
CellResult refused_cell(const PlannedCell& cell, const RunConfig& config, const Error& error) {
  CellResult result = harness::empty_result(cell, config);
  result.finished = harness::utc_now();
  result.stopped = "refused";
  result.attempts.push_back({.status = "refused", .detail = error.message});
  return result;
}

}  // namespace

std::string new_run_id() {
  std::string id = harness::utc_now();  // 2026-11-15T14:23:01Z
  std::erase_if(id, [](char c) { return c == '-' || c == ':' || c == 'Z'; });
  std::replace(id.begin(), id.end(), 'T', '-');
  return fmt::format("{}-{:04x}", id, std::random_device{}() & 0xffffu);
}

void Measuring::keep(const Status& stored) {
  if (stored) return;
  storage_problems_.add(stored.error(), results_.lost());
  progress_.note("aisp: " + store::without_passwords(stored.error().message + ": " + stored.error().hint));
}

Status Measuring::hold(const std::string& run) {
  lock_ = store::RunLock::take(run);
  if (lock_) return Ok{};
  return Error{ErrorCode::usage, "run " + run + " is still being measured by another process",
               "wait for its end, or stop it: what it has finished is kept"};
}

Result<RunRecord> Measuring::begin(const RunConfig& config) {
  const Result<std::string> hardware = hardware_of(config.device);
  if (!hardware) return hardware.error();
  RunRecord record{.id = new_run_id(), .started = harness::utc_now(), .status = "running"};
  record.manifest = {.method = kMethod,
                     .version = version(),
                     .command = arguments_.command_line,
                     .hardware = *hardware,
                     .facts = probes::manifest_facts(),
                     .config = config,
                     .config_hash = hash_of(config, arguments_.config_files)};
  if (kind_of(config.device) == DeviceKind::cuda)
    for (Fact& fact : probes::lasting_gpu_facts()) record.manifest.facts.push_back(std::move(fact));
  for (Fact& fact : ProgramFiles(config).facts()) record.manifest.facts.push_back(std::move(fact));
  if (const Status held = hold(record.id); !held) return held.error();
  if (const Status begun = results_.run_started(record); !begun) return begun.error();
  return record;
}

Result<CellResult> Measuring::measure_one(const RunRecord& record, const PlannedCell& cell,
                                          const RunConfig& config, const Ceilings& ceilings,
                                          const harness::CellProgress& progress) {
  const RunConfig& frozen = record.manifest.config;
  const std::vector<Fact>& facts = record.manifest.facts;
  const std::string hash_at_start =
      harness::hash_pair(record.manifest.config_hash, ProgramFiles::hash(facts));
  if (!programs_) programs_.emplace(frozen);
  const auto rehash = [&] {
    return harness::hash_pair(hash_of(frozen, arguments_.config_files), programs_->hash_now(facts));
  };
  if (frozen.builds.size() == 2) {
    return harness::measure_builds(
        {.cell = cell,
         .config = config,
         .ceilings = ceilings,
         .config_hash = hash_at_start,
         .rehash = rehash,
         .setups = {setup_for(frozen.builds[0], frozen), setup_for(frozen.builds[1], frozen)},
         .progress = progress});
  }
  return harness::measure_cell({.cell = cell,
                                .config = config,
                                .ceilings = ceilings,
                                .config_hash = hash_at_start,
                                .rehash = rehash,
                                .progress = progress,
                                .looked = [&](const CellResult& now) { events_.looked(now, config); }});
}

Status Measuring::measure(RunRecord& record, const std::vector<PlannedCell>& cells) {
  RunConfig config = record.manifest.config;
  const double cell_seconds = config.cell_seconds;
  const auto started = Time::now();
  events_.run_began(record, cells.size());
  const auto seconds = [&] { return std::chrono::duration<double>(Time::now() - started).count(); };
  RunCeilings ceilings(results_, config.device, record.manifest.hardware, progress_);
  double for_ceilings = 0;
  std::optional<Error> refused;
  for (std::size_t i = 0; i < cells.size() && harness::interrupted() == 0; ++i) {
    const PlannedCell& cell = cells[i];
    std::optional<Error> too_large;
    if (!ceilings.known()) {
      too_large = refusal_of(cell, config);  // said at once, not after seconds of measuring the machine
      if (harness::interrupted() != 0) break;
      if (!too_large) {
        const double before = seconds();
        ceilings.know();
        for_ceilings = seconds() - before;
      }
    }
    const double left = config.budget_seconds - seconds();
    if (config.budget_seconds > 0 && left <= 0) {
      out_of_time_ = true;
      std::string note =
          fmt::format("time budget spent: {} of {} cells were not started", cells.size() - i, cells.size());
      if (for_ceilings >= config.budget_seconds)
        note += fmt::format("; measuring the ceilings, which is done once, took {:.0f} s", for_ceilings);
      progress_.note(note);
      break;
    }
    // The budget bounds the sampling of the cell that is running too; what comes before and after it is not
    // counted.
    if (config.budget_seconds > 0) config.cell_seconds = std::min(cell_seconds, left);
    const std::string name = cell.workload.id + " " + cell.params.text();
    keep(results_.cell_started(record.id, cell.workload.id, cell.params.text()));
    events_.cell_began(i, cell);
    const auto progress = [&](double share, const std::string& what) {
      const double of_all = (static_cast<double>(i) + share) / static_cast<double>(cells.size());
      progress_.show(of_all, name + ": " + what);
      events_.moved(of_all, what);
    };
    Result<CellResult> measured = too_large ? Result<CellResult>(*too_large)
                                            : measure_one(record, cell, config, ceilings.now(), progress);
    if (measured && harness::interrupted() == 0 && ceilings.were_too_low(*measured))
      measured = measure_one(record, cell, config, ceilings.now(), progress);
    if (!measured) {  // this cell cannot be measured here; the others may
      CellResult kept = refused_cell(cell, config, measured.error());
      keep(results_.cell_finished(record.id, kept));
      events_.cell_ended(kept);
      record.cells.push_back(std::move(kept));
      Error error = measured.error();
      error.message = name + ": " + error.message;
      // The worst is returned, and shown last.
      if (!refused) {
        refused = std::move(error);
      } else {
        if (worse_exit(static_cast<int>(refused->code), static_cast<int>(error.code)) !=
            static_cast<int>(refused->code))
          std::swap(*refused, error);
        progress_.note("aisp: " + error.message);
      }
      continue;
    }
    keep(results_.cell_finished(record.id, *measured));
    events_.cell_ended(*measured);
    // A plugin and another build say themselves how many bytes they move; the machine's ceilings are not
    // theirs to raise.
    const bool own = cell.workload.plugin.empty() && config.builds.empty();
    if (own) keep(ceilings.raise_by(*measured));
    record.cells.push_back(*std::move(measured));
  }
  if (!refused) return Ok{};
  refused_code_ = static_cast<int>(refused->code);
  return *refused;
}

int Measuring::exit_code(const RunRecord& record, std::optional<int> verdict) const {
  if (const int signal = harness::interrupted(); signal != 0) return 128 + signal;
  int code = verdict ? *verdict : exit_code_of(record.cells);
  if (refused_code_ != 0) code = worse_exit(code, refused_code_);
  // What was not measured is not proven.
  return out_of_time_ ? worse_exit(code, kExitUnproven) : code;
}

void Measuring::end(RunRecord& record, std::optional<int> verdict) {
  record.status = harness::interrupted() != 0 ? "interrupted" : out_of_time_ ? "out of time" : "finished";
  record.finished = harness::utc_now();
  keep(results_.run_finished(
      record.id, record.status, record.finished,
      {.exit_code = exit_code(record, verdict), .rejected = report::summarise(record).rejected_variants}));
  progress_.clear();
  events_.run_ended(record, exit_code(record, verdict));
}

}  // namespace aisp::cli
