// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/query.h"

#include "aisp/store/database.h"
#include "aisp/store/dialect.h"
#include "aisp/store/in_progress.h"
#include "aisp/store/store.h"
#include "aisp/wire/json.h"

namespace aisp::store {
namespace {

constexpr std::int64_t kNewest = INT64_MAX;

Validity validity_named(const std::string& name) {
  for (int i = 0; i < kEnumCount<Validity>; ++i) {
    if (name_of(static_cast<Validity>(i)) == name) return static_cast<Validity>(i);
  }
  return Validity::unproven;  // a word of a newer program
}

/// The place of a run in the store's order; nothing restricts when no run is named.
std::int64_t place_of_run(const Database& database, const std::string& run) {
  if (run.empty()) return kNewest;
  Statement start = database.prepare("SELECT seq FROM events WHERE run = ?1 AND kind = 'run_started'");
  if (start.bind(1, run).step()) return start.integer(0);
  throw Failure{{ErrorCode::bad_input, "there is no run '" + printable_utf8(run) + "'", ""}};
}

}  // namespace

Result<std::vector<RunSummary>> Store::list(const RunQuery& query) {
  return attempt([&] {
    // Takes the two fields it needs out of the manifest without building it.
    const auto field = [&](std::initializer_list<std::string_view> path) {
      return json_field(database_->engine(), "payload", path);
    };
    Statement runs = database_->prepare(
        "SELECT run, hardware, " + field({"started"}) + ", " + field({"manifest", "command"}) +
        std::string(
            " FROM events AS e WHERE kind = 'run_started' AND seq < ?1 AND (?2 = '' OR hardware = ?2) "
            "AND NOT EXISTS (SELECT 1 FROM events AS p WHERE p.run = e.run AND p.kind = 'run_pruned') ") +
        (query.workload.empty()
             ? ""
             : "AND run IN (SELECT run FROM events WHERE kind = 'cell_finished' AND workload = ?4) ") +
        "ORDER BY seq DESC LIMIT ?3");
    runs.bind(1, place_of_run(*database_, query.before)).bind(2, query.hardware);
    runs.bind(3, static_cast<std::int64_t>(query.limit));
    if (!query.workload.empty()) runs.bind(4, query.workload);

    // The first from the index alone. Of a cell finished twice the later counts.
    Statement started = database_->prepare(
        "SELECT count(*) FROM (SELECT DISTINCT workload, parameters FROM events WHERE run = ?1 "
        "AND kind IN ('cell_started', 'cell_finished')) AS cells");
    Statement invalid = database_->prepare(
        "SELECT count(*) FROM events AS e WHERE run = ?1 AND kind = 'cell_finished' "
        "AND validity IN ('invalid', 'failed') AND NOT EXISTS (SELECT 1 FROM events AS l WHERE l.run = e.run "
        "AND l.kind = 'cell_finished' AND l.workload = e.workload AND l.parameters = e.parameters "
        "AND l.device = e.device AND l.seq > e.seq)");
    Statement ending = database_->prepare(
        "SELECT " + field({"status"}) + ", " + field({"exit_code"}) + ", " + field({"rejected"}) +
        ", seq FROM events WHERE run = ?1 AND kind = 'run_finished' ORDER BY seq DESC LIMIT 1");
    Statement begun_again = database_->prepare(
        "SELECT 1 FROM events WHERE run = ?1 AND kind = 'cell_started' AND seq > ?2 LIMIT 1");
    const auto known = [&](int column) {
      return ending.is_null(column) ? std::nullopt : std::optional(static_cast<int>(ending.integer(column)));
    };
    const auto about = [](Statement& statement, const std::string& run) -> Statement& {
      statement.reset();
      statement.bind(1, run);
      return statement;
    };

    std::vector<RunSummary> summaries;
    while (runs.step()) {
      RunSummary summary;
      summary.id = runs.text(0);
      summary.hardware = runs.text(1);
      summary.started = runs.text(2);
      summary.command = runs.text(3);
      const bool ended = about(ending, summary.id).step();
      // One that was resumed has an end of before.
      const bool open = !ended || (ending.text(0) != "finished" &&
                                   about(begun_again, summary.id).bind(2, ending.integer(3)).step());
      if (open && is_in_progress(*database_, summary.id)) {
        summary.status = kRunning;
      } else if (ended) {
        summary.status = ending.text(0);
        summary.outcome = {.exit_code = known(1), .rejected = known(2)};
      } else {
        summary.status = kInterrupted;
      }
      if (about(started, summary.id).step()) summary.cells = static_cast<int>(started.integer(0));
      if (about(invalid, summary.id).step()) summary.invalid = static_cast<int>(invalid.integer(0));
      summaries.push_back(std::move(summary));
    }
    return summaries;
  });
}

Result<RunOutcome> Store::outcome(const std::string& id) {
  return attempt([&] {
    const Engine engine = database_->engine();
    Statement ending = database_->prepare("SELECT " + json_field(engine, "payload", {"exit_code"}) + ", " +
                                          json_field(engine, "payload", {"rejected"}) +
                                          " FROM events WHERE run = ?1 AND kind = 'run_finished' ORDER BY "
                                          "seq DESC LIMIT 1");
    if (!ending.bind(1, id).step()) return RunOutcome{};
    const auto known = [&](int column) {
      return ending.is_null(column) ? std::nullopt : std::optional(static_cast<int>(ending.integer(column)));
    };
    return RunOutcome{.exit_code = known(0), .rejected = known(1)};
  });
}

Result<std::vector<CellSummary>> Store::cells(const CellQuery& query) {
  return attempt([&] {
    const bool chapter = query.workload.ends_with('/');
    std::string sql =
        "SELECT seq, run, workload, parameters, device, hardware, created, validity FROM events "
        "WHERE kind = 'cell_finished' AND payload IS NOT NULL AND seq < ?1 ";
    // Written out only when asked for, so that the planner can choose the index that fits.
    if (!query.workload.empty() && !chapter) sql += "AND workload = ?3 ";
    if (chapter) sql += "AND workload >= ?3 AND workload < " + after_prefix(database_->engine(), "?3") + " ";
    if (!query.hardware.empty()) sql += "AND hardware = ?4 ";
    if (!query.parameters.empty()) sql += "AND parameters = ?5 ";
    Statement rows = database_->prepare(sql + "ORDER BY seq DESC LIMIT ?2");
    rows.bind(1, query.before > 0 ? query.before : kNewest).bind(2, static_cast<std::int64_t>(query.limit));
    if (!query.workload.empty()) rows.bind(3, query.workload);
    if (!query.hardware.empty()) rows.bind(4, query.hardware);
    if (!query.parameters.empty()) rows.bind(5, query.parameters);

    std::vector<CellSummary> summaries;
    while (rows.step()) {
      CellSummary summary;
      summary.seq = rows.integer(0);
      summary.run = rows.text(1);
      summary.workload = rows.text(2);
      summary.parameters = rows.text(3);
      summary.device = rows.text(4);
      summary.hardware = rows.text(5);
      summary.finished = rows.text(6);
      summary.validity = validity_named(rows.text(7));
      summaries.push_back(std::move(summary));
    }
    return summaries;
  });
}

}  // namespace aisp::store
