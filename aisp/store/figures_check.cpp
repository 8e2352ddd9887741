// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/figures_check.h"

#include <algorithm>

#include "aisp/store/append.h"
#include "aisp/store/database.h"
#include "aisp/store/figures_fold.h"
#include "aisp/store/figures_row.h"
#include "aisp/store/figures_table.h"
#include "aisp/wire/json.h"

namespace aisp::store {
namespace {

/// More would hide the message that matters: derive them again.
constexpr std::size_t kNamedFigures = 5;

void note(FiguresReport& report, std::int64_t seq, const std::string& what) {
  if (report.differing.size() < kNamedFigures)
    report.differing.push_back("event " + std::to_string(seq) + ": " + what);
}

std::vector<Figure> stored_rows(Statement& rows, std::int64_t seq) {
  rows.reset();
  rows.bind(1, seq);
  std::vector<Figure> stored;
  while (rows.step()) stored.push_back(read_figure(rows));
  return stored;
}

void compare(const std::vector<Figure>& derived, const std::vector<Figure>& stored, std::int64_t seq,
             FiguresReport& report) {
  for (const Figure& figure : derived) {
    const auto found = std::ranges::find(stored, figure.variant, &Figure::variant);
    const std::string row = "the row of '" + figure.variant + "'";
    if (found == stored.end()) {
      note(report, seq, row + " is missing");
    } else if (to_json(*found) != to_json(figure)) {
      note(report, seq, row + " differs");
    }
  }
  if (stored.size() > derived.size()) note(report, seq, "there are more rows than variants");
}

bool latest_disagree(const Database& database) {
  const std::string expected = latest_of_history(database.engine()), found = "SELECT * FROM latest_figures";
  return database.number("SELECT CASE WHEN EXISTS (" + expected + " EXCEPT " + found + ") OR EXISTS (" +
                         found + " EXCEPT " + expected + ") THEN 1 ELSE 0 END") != 0;
}

}  // namespace

Result<FiguresReport> check_figures(Store& store) {
  return attempt([&] {
    const Database& database = store.database();
    const Snapshot snapshot(database);
    FiguresReport report;
    report.current = figures_are_current(database);
    if (!report.current) return report;
    Statement cells = database.prepare(std::string("SELECT " AISP_EVENT_COLUMNS " FROM events AS e WHERE ") +
                                           kStandingCells + " ORDER BY e.seq",
                                       Rows::many);
    Statement rows =
        database.prepare("SELECT " AISP_FIGURE_KEY "1, " AISP_FIGURE_COLUMNS
                         " FROM figures AS f JOIN figure_keys AS k ON k.id = f.key WHERE f.seq = ?1");
    std::int64_t stored_of_cells = 0;
    while (cells.step()) {
      const Row cell = read_row(cells);
      const std::vector<Figure> derived = figures_in(cell.seq, cell.event);
      const std::vector<Figure> stored = stored_rows(rows, cell.seq);
      compare(derived, stored, cell.seq, report);
      report.rows += static_cast<std::int64_t>(derived.size());
      stored_of_cells += static_cast<std::int64_t>(stored.size());
    }
    const std::int64_t all = database.number("SELECT count(*) FROM figures");
    if (all != stored_of_cells)
      report.differing.push_back(std::to_string(all - stored_of_cells) +
                                 " rows belong to no cell that is here");
    if (latest_disagree(database))
      report.differing.emplace_back("the latest figures are not those of the history");
    return report;
  });
}

Status derive_figures_again(Store& store, const CatchingUp& told) {
  return attempt([&] { rebuild_figures(store.database(), told); });
}

}  // namespace aisp::store
