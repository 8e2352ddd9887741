// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/figures_source.h"

#include <chrono>

#include "aisp/store/append.h"
#include "aisp/store/figures_fold.h"
#include "aisp/store/figures_row.h"
#include "aisp/store/figures_table.h"

namespace aisp::store {

FiguresSource::FiguresSource(const Database& store, const std::vector<std::string>& workloads)
    : store_(store), snapshot_(store) {
  if (figures_are_current(store)) return;
  memory_.emplace(":memory:", OpenMode::read_write, std::chrono::milliseconds(0));
  make_figures_tables(*memory_);
  if (workloads.empty()) derive("");
  for (const std::string& workload : workloads) derive(workload);
}

void FiguresSource::derive(const std::string& workload) {
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

}  // namespace aisp::store
