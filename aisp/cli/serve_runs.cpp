// SPDX-License-Identifier: Apache-2.0
#include <charconv>

#include "aisp/cli/documents.h"
#include "aisp/cli/json_document.h"
#include "aisp/cli/megabytes.h"
#include "aisp/cli/serve_routes.h"
#include "aisp/cli/settings.h"
#include "aisp/report/json.h"
#include "aisp/report/summary.h"
#include "aisp/store/cell_places.h"
#include "aisp/store/in_progress.h"

namespace aisp::cli {
namespace {

using server::Asked;
using server::Parameter;
using server::refusal;
using server::Response;

Response no_run(const Error& error) {
  Response response = refusal(error);
  if (error.code == ErrorCode::usage || error.code == ErrorCode::bad_input) response.status = 404;
  return response;
}

Response no_store() { return refusal(404, "there are no results yet", "`aisp run` makes them"); }

std::optional<std::int64_t> whole_number(const std::string& text) {
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool all = !text.empty() && read.ec == std::errc() && read.ptr == text.data() + text.size();
  return all && value >= 0 ? std::optional(value) : std::nullopt;
}

const Flag kLimit{.name = "limit",
                  .kind = FlagKind::integer,
                  .help = "so many at most",
                  .fallback = "20",
                  .low = 1,
                  .high = kLongestList};
const Flag kSamples{.name = "samples",
                    .kind = FlagKind::toggle,
                    .help = "with every raw sample and round",
                    .fallback = "true"};

const Flag kEvidence{
    .name = "evidence",
    .kind = FlagKind::toggle,
    .help = "with the evidence behind every verdict; without it, only what rejects a variant",
    .fallback = "true"};

Response list_runs(Served& served, const Asked& asked) {
  const Result<std::size_t> limit = asked_count(asked, kLimit);
  if (!limit) return refusal(limit.error());
  const std::size_t most = *limit;
  return served.store.with([&](store::Store* store) {
    std::vector<store::RunSummary> runs;
    if (store != nullptr) {
      auto listed = store->list({.limit = most,
                                 .before = asked.text("before"),
                                 .workload = asked.text("workload"),
                                 .hardware = asked.text("hardware")});
      if (!listed) return refusal(listed.error());
      runs = *std::move(listed);
    }
    Json json = runs_json(runs);
    json["next"] = runs.size() == most ? Json(runs.back().id) : Json(nullptr);
    return Response{.body = json_document("runs", json), .lasts = !any_runs_still(runs)};
  });
}

/// A list of a run's cells shows no evidence, and much of a run of many cells is that. It was not read.
void drop_what_rejects_nothing(RunRecord& run) {
  for (CellResult& cell : run.cells) {
    for (VariantResult& variant : cell.variants) {
      std::erase_if(variant.findings, [](const Finding& each) { return each.level != Level::reject; });
    }
  }
}

/// What else ran when the run began: a sentence, "" where nothing worth telling did, null where nobody knows.
Json busy_json(const RunRecord& run, const report::RunSummary& summary) {
  if (!summary.busy.empty()) return printable_utf8(summary.busy);
  for (const CellResult& cell : run.cells)
    for (const VariantResult& variant : cell.variants)
      for (const Finding& each : variant.findings)
        if (each.guard == "load_low" && each.level == Level::pass) return "";
  return nullptr;
}

/// Of a run as a whole, which its cells do not say one by one.
void add_outcome(Json& json, const RunRecord& run, const report::RunSummary& summary,
                 const store::RunOutcome& outcome) {
  const bool ended = run.status != store::kRunning;
  json["exit_code"] = ended ? to_json(outcome.exit_code) : Json(nullptr);
  json["summary"] = printable_utf8(report::summary_line(run));
  json["aa"] = summary.cells > 0 ? report::aa_text(summary) : "";
  json["busy"] = busy_json(run, summary);
}

Response show_run(Served& served, const Asked& asked) {
  std::string samples = asked.values.contains("samples") ? asked.text("samples") : kSamples.fallback;
  std::string evidence = asked.values.contains("evidence") ? asked.text("evidence") : kEvidence.fallback;
  if (const Status fits = check_flag(kSamples, samples, "samples"); !fits) return refusal(fits.error());
  if (const Status fits = check_flag(kEvidence, evidence, "evidence"); !fits) return refusal(fits.error());
  return served.store.with([&](store::Store* store) {
    if (store == nullptr) return no_store();
    const bool whole = evidence == "true";
    Result<RunRecord> run =
        store->load(asked.path.at("id"), {.samples = samples == "true", .evidence = whole});
    if (!run) return no_run(run.error());
    const Result<store::RunOutcome> outcome = store->outcome(run->id);
    if (!outcome) return refusal(outcome.error());
    Json told = Json::object();
    add_outcome(told, *run, report::summarise(*run), *outcome);
    if (!whole) drop_what_rejects_nothing(*run);
    Json json = report::run_document(*run, whole);
    json.update(told);
    return Response{.body = json.dump(whole ? 1 : -1) + "\n", .lasts = run->status != store::kRunning};
  });
}

Json cell_json(const CellResult& cell) {
  Json json = to_json(cell);
  for (std::size_t i = 0; i < cell.variants.size(); ++i)
    add_megabytes(json["variants"][i]["memory"], cell.variants[i].memory);
  return json;
}

Response cell_response(const RunRecord& start, std::int64_t index, std::size_t cells,
                       const CellResult& cell) {
  return {.body = json_document("cell", {{"run", start.id},
                                         {"index", index},
                                         {"cells", cells},
                                         {"hardware", printable_utf8(start.manifest.hardware)},
                                         {"cell", cell_json(cell)}}),
          .lasts = cell.stopped != store::kRunning};
}

/// A finished cell of a run that is named by its whole id, without reading the others.
std::optional<Response> finished_cell(store::Store& store, const std::string& id, std::int64_t index) {
  const auto start = store.load_start(id);
  if (!start || !start->has_value()) return std::nullopt;
  const auto places = store::cell_places(store, id);
  const auto event = places ? places->event_at(static_cast<std::size_t>(index)) : std::nullopt;
  if (!event) return std::nullopt;
  const Result<CellResult> cell = store.load_cell(*event);
  return cell ? std::optional(cell_response(**start, index, places->cells, *cell)) : std::nullopt;
}

Response show_cell(Served& served, const Asked& asked) {
  const auto index = whole_number(asked.path.at("n"));
  if (!index) return refusal(400, "cells have whole numbers, the first is 0");
  return served.store.with([&](store::Store* store) {
    if (store == nullptr) return no_store();
    const std::string& id = asked.path.at("id");
    if (auto alone = finished_cell(*store, id, *index)) return *std::move(alone);
    const Result<RunRecord> run = store->load(id);
    if (!run) return no_run(run.error());
    if (*index >= static_cast<std::int64_t>(run->cells.size()))
      return refusal(404, "run " + run->id + " has " + std::to_string(run->cells.size()) + " cells",
                     "the first is 0");
    return cell_response(*run, *index, run->cells.size(), run->cells[static_cast<std::size_t>(*index)]);
  });
}

Response show_stored_cell(Served& served, const Asked& asked) {
  const auto seq = whole_number(asked.path.at("seq"));
  if (!seq) return refusal(400, "an event's number is a whole number", "results name it as \"seq\"");
  return served.store.with([&](store::Store* store) {
    if (store == nullptr) return no_store();
    const Result<CellResult> cell = store->load_cell(*seq);
    if (!cell) {
      Error error = cell.error();
      if (error.hint.empty())
        error.hint = "results of /api/v1/workloads/{id} name theirs as \"seq\"; /api/v1/runs lists the runs";
      return no_run(error);
    }
    return Response{.body = json_document("cell", {{"seq", *seq}, {"cell", cell_json(*cell)}})};
  });
}

}  // namespace

void add_run_routes(Served& served, Routes& routes) {
  const auto as = [&](Response (*answer)(Served&, const Asked&)) {
    return [&served, answer](const Asked& asked) { return answer(served, asked); };
  };
  routes.push_back({.method = "GET",
                    .path = "/api/v1/runs",
                    .summary = "Stored runs, newest first; `next` is the `before` of the next page",
                    .parameters = {parameter_of(kLimit),
                                   {.name = "before", .help = "a run's id: only those stored before it"},
                                   {.name = "workload", .help = "only runs with a cell of this workload"},
                                   {.name = "hardware", .help = "only runs of this hardware"}},
                    .schema = "aisp.runs",
                    .properties = {{"runs", "array"}, {"next", "string", server::Property::Absence::null}},
                    .answer = as(list_runs),
                    .kept = true});
  routes.push_back({.method = "GET",
                    .path = "/api/v1/runs/{id}",
                    .summary = "A run: an id, the beginning of one, or latest",
                    .parameters = {parameter_of(kSamples), parameter_of(kEvidence)},
                    .schema = "aisp.run",
                    .properties = {{"id", "string"},
                                   {"started", "string"},
                                   {"finished", "string"},
                                   {"status", "string"},
                                   {"manifest", "object"},
                                   {"cells", "array"},
                                   {"exit_code", "integer", server::Property::Absence::null},
                                   {"summary", "string"},
                                   {"aa", "string"},
                                   {"busy", "string", server::Property::Absence::null}},
                    .answer = as(show_run),
                    .kept = true});
  routes.push_back({.method = "GET",
                    .path = "/api/v1/runs/{id}/cells/{n}",
                    .summary = "One cell of a run, raw samples and all",
                    .schema = "aisp.cell",
                    .properties = {{"run", "string"},
                                   {"index", "integer"},
                                   {"cells", "integer"},
                                   {"hardware", "string"},
                                   {"cell", "object"}},
                    .answer = as(show_cell),
                    .kept = true});
  routes.push_back({.method = "GET",
                    .path = "/api/v1/cells/{seq}",
                    .summary = "The cell that a result's `seq` names, raw samples and all",
                    .schema = "aisp.cell",
                    .properties = {{"seq", "integer"}, {"cell", "object"}},
                    .answer = as(show_stored_cell),
                    .kept = true});
}

}  // namespace aisp::cli
