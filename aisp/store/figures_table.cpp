// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/figures_table.h"

#include <algorithm>
#include <array>
#include <string>

#include "aisp/store/append.h"
#include "aisp/store/dialect.h"
#include "aisp/store/parts.h"

namespace aisp::store {
namespace {

#define AISP_FIGURE_VALUES                                                                                  \
  "seq INTEGER NOT NULL, run TEXT NOT NULL, finished TEXT NOT NULL, goal TEXT NOT NULL, "                   \
  "bound TEXT NOT NULL, rung TEXT NOT NULL, baseline INTEGER NOT NULL, validity TEXT NOT NULL, time REAL, " \
  "time_low REAL, time_high REAL, figure REAL, figure_low REAL, figure_high REAL, gain REAL, "              \
  "gain_low REAL, gain_high REAL, against TEXT NOT NULL, outcome TEXT, peak_bytes REAL, joules REAL, "      \
  "joules_uncertainty REAL, watts REAL, worst_error REAL, percent_of_ceiling REAL, ceiling TEXT NOT NULL, " \
  "traffic_bytes REAL, "                                                                                    \
  "bytes REAL NOT NULL, flops REAL NOT NULL, items REAL NOT NULL, "

// The history of a key lies together in the order of time, with the long texts kept once, in figure_keys.
// What most questions are about, the latest of each, is kept a second time, whole and in the order of
// answers: a few megabytes read in one go instead of a page from here and there for every line. The small
// index finds the last valid one without a walk over those that were rejected.
const std::array kParts{
    Part{"table", "figures_made",
         "CREATE TABLE figures_made (version INTEGER NOT NULL, through INTEGER NOT NULL)"},
    Part{"table", "figure_keys",
         "CREATE TABLE figure_keys (id INTEGER PRIMARY KEY, workload TEXT NOT NULL, hardware TEXT NOT NULL, "
         "device TEXT NOT NULL, parameters TEXT NOT NULL, cache TEXT NOT NULL, variant TEXT NOT NULL, "
         "UNIQUE (workload, hardware, device, parameters, cache, variant))"},
    Part{"table", "figures",
         "CREATE TABLE figures (key INTEGER NOT NULL, " AISP_FIGURE_VALUES
         "PRIMARY KEY (key, seq)) WITHOUT ROWID"},
    Part{"table", "latest_figures",
         "CREATE TABLE latest_figures (workload TEXT NOT NULL, hardware TEXT NOT NULL, device TEXT NOT NULL, "
         "parameters TEXT NOT NULL, cache TEXT NOT NULL, variant TEXT NOT NULL, newest INTEGER NOT "
         "NULL, " AISP_FIGURE_VALUES
         "PRIMARY KEY (workload, hardware, device, parameters, cache, variant)) WITHOUT ROWID"},
    Part{"index", "valid_figures",
         "CREATE INDEX valid_figures ON figures(key, seq) WHERE validity = 'valid'"},
    Part{"index", "figures_by_event", "CREATE INDEX figures_by_event ON figures(seq)"},
};

bool parts_are_there(const Database& database) {
  return std::ranges::all_of(kParts, [&](const Part& part) { return has_part(database, part); });
}

}  // namespace

FiguresState figures_state(const Database& database) {
  if (!parts_are_there(database)) return {};
  Statement made = database.prepare("SELECT version, through FROM figures_made");
  if (!made.step() || made.integer(0) != kFiguresVersion) return {};
  return {true, made.integer(1)};
}

bool figures_are_current(const Database& database) {
  const FiguresState state = figures_state(database);
  return state.usable && state.through == chain_head(database).seq;
}

void make_figures_tables(const Database& database) {
  // A view or a trigger of these names would be somebody's own; dropping the table takes indices with it.
  for (const Part& part : kParts) {
    if (part.type == "table") database.execute(("DROP TABLE IF EXISTS " + part.name).c_str());
  }
  for (const Part& part : kParts) database.execute(table_definition(database.engine(), part.sql).c_str());
  Statement made = database.prepare("INSERT INTO figures_made VALUES (?1, 0)");
  made.bind(1, kFiguresVersion).finish();
}

void set_figures_through(const Database& database, std::int64_t seq) {
  database.prepare("UPDATE figures_made SET through = ?1").bind(1, seq).finish();
}

}  // namespace aisp::store
