// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/figures.h"

#include "aisp/store/database.h"
#include "aisp/store/dialect.h"
#include "aisp/store/figures_fold.h"
#include "aisp/store/figures_row.h"
#include "aisp/store/figures_source.h"
#include "aisp/store/figures_table.h"

namespace aisp::store {
namespace {

void latest_of(const Database& database, const std::string& workload, const FigureQuery& query,
               std::vector<Figure>& figures) {
  // Its columns lie in the order in which they are read.
  std::string sql = "SELECT * FROM latest_figures WHERE true ";
  // Written out only when asked for, so that the planner can use the key.
  if (!workload.empty()) sql += "AND workload = ?1 ";
  if (!query.hardware.empty()) sql += "AND " + contains_text(database.engine(), "hardware", "?2") + " ";
  if (!query.device.empty()) sql += "AND (device = ?3 OR device LIKE ?3 || ':%') ";
  Statement rows = database.prepare(sql + "ORDER BY workload, hardware, device, parameters, cache, variant");
  if (!workload.empty()) rows.bind(1, workload);
  if (!query.hardware.empty()) rows.bind(2, query.hardware);
  if (!query.device.empty()) rows.bind(3, query.device);
  // Moving what was read while the list grows costs as much as reading it.
  if (workload.empty())
    figures.reserve(static_cast<std::size_t>(database.number("SELECT count(*) FROM figure_keys")));
  while (rows.step()) figures.push_back(read_figure(rows));
}

}  // namespace

Result<std::vector<Figure>> latest_figures(Store& store, const FigureQuery& query) {
  return attempt([&] {
    const FiguresSource source(store.database(), query.workloads);
    std::vector<Figure> figures;
    if (query.workloads.empty()) latest_of(source.database(), "", query, figures);
    for (const std::string& workload : query.workloads)
      latest_of(source.database(), workload, query, figures);
    return figures;
  });
}

Result<std::vector<std::string>> figure_workloads(Store& store) {
  return attempt([&] {
    const Database& database = store.database();
    const Snapshot snapshot(database);
    // From one name to the next larger one: as many steps as there are names.
    const bool current = figures_are_current(database);
    Statement next = database.prepare(
        current ? std::string("SELECT min(workload) FROM figure_keys WHERE workload > ?1")
                : std::string("SELECT min(e.workload) FROM events AS e WHERE e.workload > ?1 AND ") +
                      kStandingCells);
    std::vector<std::string> names;
    for (std::string last;; last = names.back()) {
      next.reset();
      if (!next.bind(1, last).step() || next.is_null(0)) return names;
      names.push_back(next.text(0));
    }
  });
}

}  // namespace aisp::store
