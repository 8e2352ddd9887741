// SPDX-License-Identifier: Apache-2.0
// Whole runs and cells back from their events, each checked on the way.
#include <algorithm>

#include "aisp/store/append.h"
#include "aisp/store/database.h"
#include "aisp/store/dialect.h"
#include "aisp/store/event.h"
#include "aisp/store/in_progress.h"
#include "aisp/store/store.h"
#include "aisp/wire/json.h"
#include "aisp/wire/json_parts.h"

namespace aisp::store {
namespace {

constexpr const char* kNotPruned =
    " AND NOT EXISTS (SELECT 1 FROM events AS p WHERE p.run = e.run AND p.kind = 'run_pruned')";

Failure broken(const Row& row, const std::string& how) {
  return {{ErrorCode::store, "event " + std::to_string(row.seq) + " (" + row.event.kind + ") " + how,
           "run 'aisp store check'"}};
}

/// The row, if it is what was written: its own hash and its link to the row before it hold.
Row sound_row(const Statement& rows, int previous_hash) {
  Row row = read_row(rows);
  const std::string previous = rows.is_null(previous_hash) ? chain_origin() : rows.text(previous_hash);
  if (!row.well_typed || !is_intact(row.event)) throw broken(row, "does not match its hash");
  if (row.hash != chain_hash(previous, row.event.id)) throw broken(row, "does not follow the one before it");
  return row;
}

std::string portion_of(std::string payload, const Portion& portion) {
  if (!portion.evidence) payload = without_parts(payload, {"evidence"});
  if (!portion.samples) payload = without_parts(payload, {"samples", "aa_samples", "rounds"});
  return payload;
}

template <class T>
T payload_of(const Row& row, const Portion& portion = {}) {
  const Result<Json> json = parse_json(portion_of(row.event.payload.value_or(""), portion));
  if (!json) throw broken(row, "has no readable payload: " + json.error().message);
  Result<T> value = from_json<T>(*json);
  if (!value) throw broken(row, "cannot be read: " + value.error().message);
  return std::move(*value);
}

/// How a run ended, as written by Store::run_finished.
struct Ending {
  std::string status;
  std::string finished;
  AISP_FIELDS(status, finished)
};

/// More names would hide what to do about them.
constexpr std::size_t kAlikeNamed = 4;

/// The full id for "latest", an id or the beginning of one.
std::string resolve_run(const Database& database, const std::string& id) {
  if (id == "latest") {
    Statement newest =
        database.prepare(std::string("SELECT run FROM events AS e WHERE kind = 'run_started'") + kNotPruned +
                         " ORDER BY seq DESC LIMIT 1");
    if (newest.step()) return newest.text(0);
    throw Failure{{ErrorCode::bad_input, "the store holds no run yet", "'aisp run' makes one"}};
  }
  // Everything that begins with id lies between id and id followed by the largest character.
  Statement runs =
      database.prepare("SELECT DISTINCT run FROM events WHERE run >= ?1 AND run < " +
                       after_prefix(database.engine(), "?1") + " AND kind = 'run_started' ORDER BY run");
  runs.bind(1, id);
  std::vector<std::string> found;
  std::size_t more = 0;
  while (!id.empty() && runs.step()) {
    if (found.size() < kAlikeNamed) {
      found.push_back(runs.text(0));
    } else {
      ++more;
    }
  }
  if (std::ranges::find(found, id) != found.end()) return id;
  if (found.size() == 1) return found[0];
  if (found.empty()) {
    throw Failure{{ErrorCode::bad_input, "there is no run '" + printable_utf8(id) + "'",
                   "`aisp show --runs` lists the stored runs"}};
  }
  std::string names;
  for (const std::string& name : found) names += " " + name;
  if (more > 0) names += " and " + std::to_string(more) + " more";
  throw Failure{{ErrorCode::bad_input, "'" + id + "' could be any of" + names, "give more of the id"}};
}

/// Where the event's cell stands in the run; a new place if it has none yet.
CellResult& place_of(std::vector<CellResult>& cells, const Event& event, bool started) {
  for (CellResult& cell : cells) {
    if (cell.workload != event.workload || cell.parameters != event.parameters) continue;
    const bool waiting = cell.finished.empty() && cell.variants.empty() && cell.stopped == kInterrupted;
    if (started || waiting || cell.device == event.device) return cell;
  }
  CellResult pending;
  pending.workload = event.workload;
  pending.parameters = event.parameters;
  pending.started = event.created;
  pending.stopped = kInterrupted;
  return cells.emplace_back(std::move(pending));
}

/// An event without its payload, which may be megabytes.
Event head_of(const Event& event) {
  Event head;
  head.kind = event.kind;
  head.created = event.created;
  head.workload = event.workload;
  head.parameters = event.parameters;
  head.device = event.device;
  return head;
}

/// Of a run that is being measured: what has no end yet goes on.
void mark_running(RunRecord& run, const Event& last) {
  run.status = kRunning;
  run.finished = "";
  if (last.kind != kCellStarted) return;
  CellResult& cell = place_of(run.cells, last, true);
  if (cell.variants.empty()) cell.stopped = kRunning;
}

void apply(RunRecord& run, const Row& row, const Portion& portion) {
  if (row.event.kind == kRunStarted) {
    // Cells may have come first: a journal is imported late.
    std::vector<CellResult> cells = std::move(run.cells);
    run = payload_of<RunRecord>(row);
    run.cells = std::move(cells);
  } else if (row.event.kind == kCellStarted) {
    place_of(run.cells, row.event, true);
  } else if (row.event.kind == kCellFinished) {
    place_of(run.cells, row.event, false) = payload_of<CellResult>(row, portion);
  }
}

}  // namespace

Result<RunRecord> Store::load(const std::string& id, const Portion& portion) {
  return attempt([&] {
    const std::string run = resolve_run(*database_, id);
    const bool all = portion.workload.empty();
    Statement rows = database_->prepare(
        std::string(
            "SELECT " AISP_EVENT_COLUMNS
            ", (SELECT hash FROM events AS b WHERE b.seq = e.seq - 1) FROM events AS e WHERE run = ?1") +
        (all ? "" : " AND workload IN (?2, '')") + " ORDER BY seq");
    rows.bind(1, run);
    if (!all) rows.bind(2, portion.workload);
    RunRecord record;
    std::optional<Ending> ending;
    bool open = true;
    Event last;
    while (rows.step()) {
      const Row row = sound_row(rows, 14);
      if (row.event.kind == kRunPruned) {
        throw Failure{{ErrorCode::bad_input,
                       "run " + run + " was pruned on " + row.event.created.substr(0, 10),
                       "its raw results are gone; run it again"}};
      }
      if (!row.event.payload) continue;  // pruned: the event that says so follows
      if (row.event.kind == kRunFinished) ending = payload_of<Ending>(row);
      if (row.event.kind == kRunFinished) open = false;
      // A cell that begins after the end of a run that did not finish: it was resumed.
      if (row.event.kind == kCellStarted && ending && ending->status != "finished") open = true;
      apply(record, row, portion);
      if (all) last = head_of(row.event);
    }
    record.status = ending ? ending->status : kInterrupted;
    record.finished = ending ? ending->finished : "";
    if (open && is_in_progress(*database_, run)) mark_running(record, last);
    return record;
  });
}

Result<CellResult> Store::load_cell(std::int64_t seq, const Portion& portion) {
  return attempt([&] {
    Statement rows = database_->prepare("SELECT " AISP_EVENT_COLUMNS
                                        ", (SELECT hash FROM events AS b WHERE b.seq = e.seq - 1) "
                                        "FROM events AS e WHERE seq = ?1 AND kind = 'cell_finished'");
    if (!rows.bind(1, seq).step()) {
      throw Failure{{ErrorCode::bad_input, "event " + std::to_string(seq) + " is not a finished cell", ""}};
    }
    const Row row = sound_row(rows, 14);
    if (!row.event.payload) {
      throw Failure{
          {ErrorCode::bad_input, "the cell of run " + row.event.run + " was pruned", "run it again"}};
    }
    return payload_of<CellResult>(row, portion);
  });
}

Result<std::optional<RunRecord>> Store::load_start(const std::string& id) {
  return attempt([&]() -> std::optional<RunRecord> {
    Statement rows = database_->prepare(std::string("SELECT " AISP_EVENT_COLUMNS
                                                    ", (SELECT hash FROM events AS b WHERE b.seq = e.seq - 1)"
                                                    " FROM events AS e WHERE run = ?1 AND kind = "
                                                    "'run_started' AND payload IS NOT NULL") +
                                        kNotPruned);
    if (!rows.bind(1, id).step()) return std::nullopt;
    return payload_of<RunRecord>(sound_row(rows, 14));
  });
}

Result<std::optional<Ceilings>> Store::latest_ceilings(const std::string& hardware) {
  return attempt([&]() -> std::optional<Ceilings> {
    Statement rows =
        database_->prepare("SELECT " AISP_EVENT_COLUMNS
                           ", (SELECT hash FROM events AS b WHERE b.seq = e.seq - 1) FROM events AS e "
                           "WHERE kind = 'ceilings_measured' AND hardware = ?1 ORDER BY seq DESC LIMIT 1");
    if (!rows.bind(1, printable_utf8(hardware)).step()) return std::nullopt;
    return payload_of<Ceilings>(sound_row(rows, 14));
  });
}

Result<std::vector<Tuning>> Store::tunings(const std::string& hardware) {
  return attempt([&] {
    // Of no run: the index by run and kind finds them without reading the others.
    Statement rows =
        database_->prepare("SELECT " AISP_EVENT_COLUMNS
                           ", (SELECT hash FROM events AS b WHERE b.seq = e.seq - 1) FROM events AS e "
                           "WHERE run = '' AND kind = 'tuned' AND hardware = ?1 ORDER BY seq");
    rows.bind(1, printable_utf8(hardware));
    std::vector<Tuning> known;
    while (rows.step()) {
      Tuning next = payload_of<Tuning>(sound_row(rows, 14));
      const auto same =
          std::ranges::find_if(known, [&](const Tuning& other) { return other.same_key(next); });
      if (same == known.end()) {
        known.push_back(std::move(next));
      } else if (next.chosen.empty() || next.is_own() || !same->is_own() || same->chosen.empty()) {
        *same = std::move(next);
      }
    }
    std::erase_if(known, [](const Tuning& tuning) { return tuning.chosen.empty(); });
    return known;
  });
}

}  // namespace aisp::store
