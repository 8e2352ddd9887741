// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/figures_fold.h"

#include <string>

#include "aisp/core/check.h"
#include "aisp/store/append.h"
#include "aisp/store/figures_row.h"
#include "aisp/store/figures_table.h"
#include "aisp/store/migrate.h"

namespace aisp::store {
namespace {

/// Events of one step: their payloads are read one after the other, and the lock is held meanwhile.
constexpr int kStep = 500;

void drop_earlier(const Database& database, std::int64_t seq, const Event& event) {
  Statement drop = database.prepare(
      "DELETE FROM figures WHERE seq IN (SELECT seq FROM events WHERE run = ?1 AND kind = 'cell_finished' "
      "AND workload = ?2 AND parameters = ?3 AND device = ?4 AND seq < ?5)");
  drop.bind(1, event.run).bind(2, event.workload).bind(3, event.parameters).bind(4, event.device);
  drop.bind(5, seq).finish();
}

void drop_run(const Database& database, std::int64_t seq, const std::string& run) {
  const std::string of_run =
      "(SELECT seq FROM events WHERE run = ?1 AND kind = 'cell_finished' AND seq < ?2)";
  // Keys first, while the rows still tell which: those that nothing else needs.
  Statement keys = database.prepare(
      "DELETE FROM figure_keys WHERE id IN (SELECT key FROM figures WHERE seq IN " + of_run +
      ") AND NOT EXISTS (SELECT 1 FROM figures AS f WHERE f.key = figure_keys.id AND f.seq NOT IN " + of_run +
      ")");
  keys.bind(1, run).bind(2, seq).finish();
  Statement rows = database.prepare("DELETE FROM figures WHERE seq IN " + of_run);
  rows.bind(1, run).bind(2, seq).finish();
}

void apply(const Database& database, std::int64_t seq, const Event& event) {
  if (event.kind == kRunPruned) drop_run(database, seq, event.run);
  if (event.kind != kCellFinished) return;
  drop_earlier(database, seq, event);
  for (const Figure& figure : figures_in(seq, event)) insert_figure(database, figure);
}

/// The next events that matter, and the place up to which there are no others. False when all are done.
bool step(const Database& database) {
  Transaction transaction(database);
  refuse_newer(database);
  const FiguresState state = figures_state(database);
  const std::int64_t head = chain_head(database).seq;
  AISP_CHECK(state.usable, "the tables were made before");
  if (state.through >= head) return false;
  Statement rows = database.prepare("SELECT " AISP_EVENT_COLUMNS
                                    " FROM events WHERE seq > ?1 AND kind IN ('cell_finished', 'run_pruned') "
                                    "ORDER BY seq LIMIT ?2");
  rows.bind(1, state.through).bind(2, kStep);
  std::int64_t through = head;
  for (int taken = 0; rows.step();) {
    const Row row = read_row(rows);
    // What does not match its hash is no result; `store check` tells of it.
    if (row.well_typed && is_intact(row.event)) apply(database, row.seq, row.event);
    if (++taken == kStep) through = row.seq;
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

void update_figures(const Database& database) {
  if (figures_are_current(database)) return;
  if (!figures_state(database).usable) {
    Transaction transaction(database);
    refuse_newer(database);
    // Read again under the lock: another process may have made them while we waited.
    if (!figures_state(database).usable) make_figures_tables(database);
    transaction.commit();
  }
  while (step(database)) {
  }
}

void rebuild_figures(const Database& database) {
  {
    Transaction transaction(database);
    refuse_newer(database);
    make_figures_tables(database);
    transaction.commit();
  }
  update_figures(database);
}

}  // namespace aisp::store
