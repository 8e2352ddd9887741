// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/figures_fold.h"

#include <string>
#include <vector>

#include "aisp/core/check.h"
#include "aisp/store/append.h"
#include "aisp/store/figures_row.h"
#include "aisp/store/figures_table.h"
#include "aisp/store/migrate.h"

namespace aisp::store {
namespace {

/// Events of one step: their payloads are read one after the other, and the lock is held meanwhile.
constexpr int kStep = 500;

/// Removes the rows of the events that `which` selects, with the values bound to it.
template <class... Values>
void drop(const Database& database, const std::string& which, const Values&... values) {
  const auto bound = [&](Statement& statement) -> Statement& {
    int at = 0;
    (statement.bind(++at, values), ...);
    return statement;
  };
  std::vector<std::int64_t> keys;
  Statement affected = database.prepare("SELECT DISTINCT key FROM figures WHERE seq IN (" + which + ")");
  bound(affected);
  while (affected.step()) keys.push_back(affected.integer(0));
  Statement rows = database.prepare("DELETE FROM figures WHERE seq IN (" + which + ")");
  bound(rows).finish();
  for (const std::int64_t key : keys) refresh_latest(database, key);
}

void apply(const Database& database, std::int64_t seq, const Event& event) {
  const std::string cells = "SELECT seq FROM events WHERE kind = 'cell_finished' AND seq < ?1 AND run = ?2";
  if (event.kind == kRunPruned) drop(database, cells, seq, event.run);
  if (event.kind != kCellFinished) return;
  drop(database, cells + " AND workload = ?3 AND parameters = ?4 AND device = ?5", seq, event.run,
       event.workload, event.parameters, event.device);
  for (const Figure& figure : figures_in(seq, event)) insert_figure(database, figure);
}

/// The next events that matter, and the place up to which there are no others. False when all are done.
bool step(const Database& database, const CatchingUp& told) {
  Transaction transaction(database);
  refuse_newer(database);
  const FiguresState state = figures_state(database);
  const std::int64_t head = chain_head(database).seq;
  AISP_CHECK(state.usable, "the tables were made before");
  if (state.through >= head) return false;
  Statement rows = database.prepare("SELECT " AISP_EVENT_COLUMNS
                                    " FROM events WHERE seq > ?1 AND kind IN ('cell_finished', 'run_pruned') "
                                    "ORDER BY seq LIMIT ?2",
                                    Rows::many);
  rows.bind(1, state.through).bind(2, kStep);
  std::int64_t through = head;
  for (int taken = 0; rows.step();) {
    const Row row = read_row(rows);
    // What does not match its hash is no result; `store check` tells of it.
    if (row.well_typed && is_intact(row.event)) apply(database, row.seq, row.event);
    if (++taken == kStep) through = row.seq;
    if (told) told(row.seq, head);
  }
  set_figures_through(database, through);
  transaction.commit();
  return through < head;
}

}  // namespace

void fold_event(const Database& database, std::int64_t seq, const Event& event) {
  database.execute("SAVEPOINT figures");
  try {
    const FiguresState state = figures_state(database);
    if (state.usable && state.through == seq - 1) {
      apply(database, seq, event);
      set_figures_through(database, seq);
    }
  } catch (const Failure& failure) {
    // A full or failing disk fails the event as well. Anything else is wrong with the tables alone: they stay
    // behind, and whoever opens the store next derives them again.
    if (failure.error.code != ErrorCode::store || !database.in_transaction()) throw;
    database.execute("ROLLBACK TO figures");
  }
  database.execute("RELEASE figures");
}

void update_figures(const Database& database, const CatchingUp& told) {
  if (figures_are_current(database)) return;
  if (!figures_state(database).usable) {
    Transaction transaction(database);
    refuse_newer(database);
    // Read again under the lock: another process may have made them while we waited.
    if (!figures_state(database).usable) make_figures_tables(database);
    transaction.commit();
  }
  while (step(database, told)) {
  }
}

void rebuild_figures(const Database& database, const CatchingUp& told) {
  {
    Transaction transaction(database);
    refuse_newer(database);
    make_figures_tables(database);
    transaction.commit();
  }
  update_figures(database, told);
}

}  // namespace aisp::store
