// SPDX-License-Identifier: Apache-2.0
// What this program knows without a store: workloads, their sources, guards. And of a workload what is
// stored.
#include <algorithm>
#include <map>
#include <set>

#include "aisp/cli/documents.h"
#include "aisp/cli/json_document.h"
#include "aisp/cli/megabytes.h"
#include "aisp/cli/serve_routes.h"
#include "aisp/core/memory_resolution.h"
#include "aisp/server/embedded.h"
#include "aisp/store/cell_places.h"
#include "aisp/store/figures.h"

namespace aisp::cli {
namespace {

using harness::WorkloadInfo;
using server::Asked;
using server::refusal;
using server::Response;

/// Of so many cells the memory is looked up in the cells themselves.
constexpr std::size_t kCellsLookedInto = 40;

/// The files that registered it, and what they include of their own folder.
Json sources_json(const std::vector<const WorkloadInfo*>& workloads) {
  std::set<std::string_view> wanted;
  for (const WorkloadInfo* each : workloads) {
    if (!each->plugin.empty()) continue;  // says what it likes
    for (const server::Embedded& file : server::workload_sources()) {
      if (file.path != each->source) continue;
      wanted.insert(file.path);
      for (const server::Embedded& other : server::workload_sources())
        if (file.bytes.find("\"" + std::string(other.path) + "\"") != std::string_view::npos)
          wanted.insert(other.path);
    }
  }
  Json list = Json::array();
  for (const server::Embedded& file : server::workload_sources())
    if (wanted.contains(file.path))
      list.push_back({{"path", file.path}, {"text", printable_utf8(file.bytes)}});
  return list;
}

Result<Json> results_json(store::Store& store, const std::string& id) {
  const Result<Figures> figures = figures_to_compare(store, {.workloads = {id}});
  if (!figures) return figures.error();
  std::map<std::int64_t, CellResult> cells;
  std::map<std::string, store::CellPlaces> places;  // by run
  Json list = Json::array();
  for (const Figure& figure : **figures) {
    if (!cells.contains(figure.seq) && cells.size() < kCellsLookedInto) {
      const Result<CellResult> cell = store.load_cell(figure.seq);
      if (!cell) return cell.error();
      cells[figure.seq] = *cell;
    }
    if (!places.contains(figure.run)) {
      auto of_run = store::cell_places(store, figure.run);
      if (!of_run) return of_run.error();
      places[figure.run] = *std::move(of_run);
    }
    Json json = to_json(figure);
    const auto& by_event = places[figure.run].by_event;
    const auto place = by_event.find(figure.seq);
    json["cell"] = place == by_event.end() ? Json(nullptr) : Json(place->second);
    const auto cell = cells.find(figure.seq);
    const VariantResult* variant = cell == cells.end() ? nullptr : cell->second.find(figure.variant);
    add_megabytes(json,
                  variant != nullptr ? variant->memory : MemoryFigures{.peak_bytes = figure.peak_bytes});
    list.push_back(std::move(json));
  }
  return list;
}

Response show_workload(Served& served, const Asked& asked) {
  const std::string& id = asked.path.at("id");
  std::vector<const WorkloadInfo*> known;
  for (const WorkloadInfo& workload : served.catalogue)
    if (workload.id == id) known.push_back(&workload);
  return served.store.with([&](store::Store* store) {
    const Result<Json> results = store == nullptr ? Result<Json>(Json::array()) : results_json(*store, id);
    if (!results) return refusal(results.error());
    if (known.empty() && results->empty())
      return refusal(404, "there is no workload '" + id + "'", "/api/v1/benchmarks lists them");
    Json json{{"id", printable_utf8(id)}};
    json.update(workloads_json(known));
    json["source"] = sources_json(known);
    json["results"] = *results;
    return Response{.body = json_document("workload", json)};
  });
}

/// Of the valid variant that holds least in the workload's newest cell, the first of those that cannot be
/// told apart; nothing where that is not known.
MemoryFigures newest_memory(store::Store* store, const std::vector<Figure>& figures,
                            const WorkloadInfo& workload) {
  const Figure* newest = nullptr;
  for (const Figure& figure : figures) {
    if (figure.workload != workload.id || !figure.device.starts_with(name_of(workload.device))) continue;
    if (newest == nullptr || figure.seq > newest->seq) newest = &figure;
  }
  if (store == nullptr || newest == nullptr) return {};
  const Result<CellResult> cell = store->load_cell(newest->seq);
  if (!cell) return {};  // pruned
  const VariantResult* least = nullptr;
  for (const VariantResult& each : cell->variants) {
    if (each.validity != Validity::valid || !each.memory.peak_bytes) continue;
    if (least == nullptr || less_memory(*each.memory.peak_bytes, *least->memory.peak_bytes, cell->device))
      least = &each;
  }
  return least != nullptr ? least->memory : MemoryFigures{};
}

Response list_workloads(Served& served, const Asked&) {
  std::vector<const WorkloadInfo*> all;
  for (const WorkloadInfo& workload : served.catalogue) all.push_back(&workload);
  return served.store.with([&](store::Store* store) {
    const Result<Figures> figures = served.store.figures(store, Arguments{});
    if (!figures) return refusal(figures.error());
    Json json = workloads_json(all);
    for (std::size_t i = 0; i < all.size(); ++i)
      add_megabytes(json["workloads"][i], newest_memory(store, **figures, *all[i]));
    return Response{.body = json_document("list", json)};
  });
}

Response show_guard(const Asked& asked) {
  const Result<Json> json = guard_json(asked.path.at("name"));
  if (!json) return refusal(404, json.error().message, json.error().hint);
  return {.body = json_document("explain", *json)};
}

}  // namespace

void add_catalogue_routes(Served& served, Routes& routes) {
  routes.push_back({.method = "GET",
                    .path = "/api/v1/benchmarks",
                    .summary = "The workloads there are",
                    .schema = "aisp.list",
                    .properties = {{"workloads", "array"}},
                    .answer = [&served](const Asked& asked) { return list_workloads(served, asked); },
                    .kept = true,
                    .aliases = {"/api/benchmarks"}});
  routes.push_back(
      {.method = "GET",
       .path = "/api/v1/workloads/{id...}",
       .summary = "A workload: its idea, its source and the latest result of every variant",
       .schema = "aisp.workload",
       .properties = {{"id", "string"}, {"workloads", "array"}, {"source", "array"}, {"results", "array"}},
       .answer = [&served](const Asked& asked) { return show_workload(served, asked); },
       .kept = true});
  routes.push_back(
      {.method = "GET",
       .path = "/api/v1/guards",
       .summary = "Guards, and the validity issues with how they are covered",
       .schema = "aisp.explain",
       .properties = {{"guards", "array"}, {"issues", "array"}},
       .answer = [](const Asked&) { return Response{.body = json_document("explain", guards_json())}; },
       .kept = true});
  routes.push_back({.method = "GET",
                    .path = "/api/v1/guards/{name}",
                    .summary = "One guard or issue, explained",
                    .schema = "aisp.explain",
                    .properties = {{"guards", "array"}, {"issues", "array"}, {"text", "string"}},
                    .answer = show_guard,
                    .kept = true});
}

}  // namespace aisp::cli
