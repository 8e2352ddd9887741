// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/store.h"

#include "aisp/store/append.h"
#include "aisp/store/database.h"
#include "aisp/store/event.h"
#include "aisp/store/journal.h"
#include "aisp/store/migrate.h"
#include "aisp/wire/json.h"

namespace aisp::store {

Store::Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() {
  database_.reset();
  std::error_code ignored;
  if (!copy_.empty()) std::filesystem::remove_all(copy_, ignored);
}

/// Appends in a transaction of its own. What cannot be stored goes to the journal, and the caller is told: a
/// result is never reported as saved when it is not in the store.
Status Store::keep(Event event) {
  seal(event);
  const Status stored = attempt([&] {
    Transaction transaction(*database_);
    refuse_newer(*database_);  // another process may have migrated the store since we opened it
    append(*database_, event);
    transaction.commit();
  });
  lost_ = false;
  if (stored) return Ok{};
  Error error = stored.error();
  const Result<std::filesystem::path> kept = keep_in_journal(journal_files(file_, options_.fallback), event);
  const std::string what = event.workload.empty() ? event.kind : event.kind + " of " + event.workload;
  error.message += "; " + what + " is not in the store";
  lost_ = !kept;
  error.hint = kept
                   ? "it is kept in " + kept->string() + " and imported at the next start; " + error.hint
                   : "it could not be kept in a journal either (" + kept.error().message + "); " + error.hint;
  return error;
}

std::string Store::hardware_of(const std::string& run) {
  std::string hardware;
  // A failure here will show again, with its cause, when the event is appended.
  (void)attempt([&] {
    Statement start =
        database_->prepare("SELECT hardware FROM events WHERE run = ?1 AND kind = 'run_started'");
    if (start.bind(1, run).step()) hardware = start.text(0);
  });
  return hardware;
}

Status Store::run_started(const RunRecord& run) {
  bool taken = false;
  (void)attempt([&] {
    Statement start = database_->prepare("SELECT 1 FROM events WHERE run = ?1 AND kind = 'run_started'");
    taken = start.bind(1, run.id).step();
    if (!taken) database_->connection().hold_run(run.id);
  });
  if (taken)
    return Error{ErrorCode::bad_input, "a run named " + run.id + " is stored already", "choose another id"};
  RunRecord head = run;
  head.cells.clear();  // they come as events of their own
  Event event;
  event.run = run.id;
  event.kind = kRunStarted;
  event.hardware = run.manifest.hardware;
  event.payload = to_json(head).dump();
  return keep(std::move(event));
}

Status Store::cell_started(const std::string& run, const std::string& workload,
                           const std::string& parameters) {
  Event event;
  event.run = run;
  event.kind = kCellStarted;
  event.workload = workload;
  event.parameters = parameters;
  event.hardware = hardware_of(run);
  (void)attempt([&] { database_->connection().hold_run(run); });
  return keep(std::move(event));
}

Status Store::cell_finished(const std::string& run, const CellResult& cell) {
  Event event;
  event.run = run;
  event.kind = kCellFinished;
  event.workload = cell.workload;
  event.parameters = cell.parameters;
  event.device = cell.device;
  event.hardware = hardware_of(run);
  event.validity = name_of(cell.validity);
  event.payload = to_json(cell).dump();
  return keep(std::move(event));
}

Status Store::run_finished(const std::string& run, const std::string& status, const std::string& finished,
                           const RunOutcome& outcome) {
  Json payload;
  payload["status"] = printable_utf8(status);
  payload["finished"] = printable_utf8(finished);
  if (outcome.exit_code) payload["exit_code"] = *outcome.exit_code;
  if (outcome.rejected) payload["rejected"] = *outcome.rejected;
  Event event;
  event.run = run;
  event.kind = kRunFinished;
  event.hardware = hardware_of(run);
  event.payload = payload.dump();
  return keep(std::move(event));
}

Status Store::ceilings_measured(const Ceilings& ceilings) {
  Event event;
  event.kind = kCeilingsMeasured;
  event.hardware = ceilings.hardware;
  event.payload = to_json(ceilings).dump();
  return keep(std::move(event));
}

Status Store::tuned(const Tuning& tuning) {
  Event event;
  event.kind = kTuned;
  event.workload = tuning.workload;
  event.parameters = tuning.parameters;
  event.device = tuning.device;
  event.hardware = tuning.hardware;
  event.payload = to_json(tuning).dump();
  return keep(std::move(event));
}

}  // namespace aisp::store
