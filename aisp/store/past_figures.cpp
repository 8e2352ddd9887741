// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/past_figures.h"

#include "aisp/store/database.h"
#include "aisp/store/figures_row.h"
#include "aisp/store/figures_source.h"

namespace aisp::store {
namespace {

void visit_keys(const Database& database, const std::string& workload, const PastQuery& query,
                const std::function<void(PastFigures&&)>& visit) {
  std::string sql =
      "SELECT id, workload, hardware, device, parameters, cache, variant FROM figure_keys WHERE true ";
  // Written out only when asked for, so that the planner can use the key.
  if (!workload.empty()) sql += "AND workload = ?1 ";
  if (!query.hardware.empty()) sql += "AND hardware = ?2 ";
  if (!query.device.empty()) sql += "AND (device = ?3 OR device LIKE ?3 || ':%') ";
  if (!query.variant_begins.empty()) sql += "AND substr(variant, 1, length(?4)) = ?4 ";
  Statement keys = database.prepare(sql + "ORDER BY workload, parameters, device, cache, variant, hardware");
  if (!workload.empty()) keys.bind(1, workload);
  if (!query.hardware.empty()) keys.bind(2, query.hardware);
  if (!query.device.empty()) keys.bind(3, query.device);
  if (!query.variant_begins.empty()) keys.bind(4, query.variant_begins);
  Statement rows = database.prepare("SELECT " AISP_PAST_COLUMNS " FROM figures WHERE key = ?1 ORDER BY seq");
  KeptNames runs;
  std::size_t expected = 0;  // series of one machine are mostly as long as each other
  while (keys.step()) {
    PastFigures past{.workload = keys.text(1),
                     .hardware = keys.text(2),
                     .device = keys.text(3),
                     .parameters = keys.text(4),
                     .cache = keys.text(5),
                     .variant = keys.text(6),
                     .figures = {}};
    past.figures.reserve(expected);
    rows.reset();
    rows.bind(1, keys.integer(0));
    while (rows.step()) past.figures.push_back(read_past_figure(rows, runs));
    expected = past.figures.size();
    visit(std::move(past));
  }
}

}  // namespace

Status each_past(Store& store, const PastQuery& query, const std::function<void(PastFigures&&)>& visit) {
  const Result<bool> done = attempt([&] {
    const FiguresSource source(store.database(), query.workloads);
    if (query.workloads.empty()) visit_keys(source.database(), "", query, visit);
    for (const std::string& workload : query.workloads) visit_keys(source.database(), workload, query, visit);
    return true;
  });
  if (!done) return done.error();
  return Ok{};
}

}  // namespace aisp::store
