// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/figures.h"

#include <optional>

#include "aisp/store/append.h"
#include "aisp/store/database.h"
#include "aisp/store/dialect.h"
#include "aisp/store/figures_fold.h"
#include "aisp/store/figures_row.h"
#include "aisp/store/figures_table.h"

namespace aisp::store {
namespace {

/// The store's own table, or one derived in memory where that is not to be had.
class Source {
 public:
  Source(const Database& store, const FigureQuery& query) : store_(store), snapshot_(store) {
    if (figures_are_current(store)) return;
    memory_.emplace(":memory:", OpenMode::read_write, std::chrono::milliseconds(0));
    make_figures_tables(*memory_);
    if (query.workloads.empty()) derive("");
    for (const std::string& workload : query.workloads) derive(workload);
  }
  const Database& database() const { return memory_ ? *memory_ : store_; }

 private:
  void derive(const std::string& workload) {
    Statement rows = store_.prepare(std::string("SELECT " AISP_EVENT_COLUMNS " FROM events AS e WHERE ") +
                                        kStandingCells + (workload.empty() ? "" : " AND e.workload = ?1"),
                                    Rows::many);
    if (!workload.empty()) rows.bind(1, workload);
    while (rows.step()) {
      const Row row = read_row(rows);
      if (!row.well_typed || !is_intact(row.event)) continue;
      for (const Figure& figure : figures_in(row.seq, row.event)) insert_figure(*memory_, figure);
    }
  }

  const Database& store_;
  Snapshot snapshot_;  ///< the state and the rows of one moment
  std::optional<Database> memory_;
};

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
    const Source source(store.database(), query);
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
