// SPDX-License-Identifier: Apache-2.0
// Results against results: over time, and two by two.
#include <algorithm>
#include <array>

#include "aisp/cli/commands.h"
#include "aisp/cli/compare_forms.h"
#include "aisp/cli/documents.h"
#include "aisp/cli/history_json.h"
#include "aisp/cli/json_document.h"
#include "aisp/cli/serve_routes.h"
#include "aisp/harness/derive.h"

namespace aisp::cli {
namespace {

using server::Asked;
using server::refusal;
using server::Response;

/// Of `aisp history` those that choose what to look at; the others measure, or write files.
constexpr std::array kHistoryFlags{"hardware", "since",    "device",     "variant",
                                   "changed",  "unproven", "equivalence"};

const Flag kTop{.name = "top",
                .kind = FlagKind::integer,
                .help = "so many series at most, those that changed first; `total` says how many there are",
                .fallback = "200",
                .low = 1,
                .high = kLongestList};

const Flag kPoints{.name = "points",
                   .kind = FlagKind::integer,
                   .help =
                       "so many points of each series at most, the newest; `points_before` says how many "
                       "came before them",
                   .fallback = "1000",
                   .low = 1,
                   .high = kLongestList};

Response show_history(Served& served, const Arguments& arguments, const HistoryLimits& limits) {
  return served.store.with([&](store::Store* store) {
    const Result<HistoryQuery> query = history_query(arguments, store);
    if (!query) return refusal(query.error());
    const analysis::HistoryOptions options{.equivalence = arguments.number("equivalence")};
    const Result<LookedBack> looked = look_back(store, arguments, *query, options, served.beginnings);
    if (!looked) return refusal(looked.error());
    // On one line: it is the longest answer of all, and nearly half of it would be blanks.
    return Response{.body = json_document("history", history_json(*looked, *query, options, limits), -1)};
  });
}

/// Two variants of a workload in one stored run: paired, as they were sampled in the same rounds.
Result<ComparisonAnswer> compare_stored_variants(const RunRecord& run, const std::string& workload,
                                                 const std::string& first, const std::string& second) {
  const RunConfig& config = run.manifest.config;
  const stats::SequentialPlan plan(config.looks, config.alpha);
  ComparisonAnswer answer{.first = first, .second = second, .lines = {}, .run = run.id};
  for (const CellResult& cell : run.cells) {
    if (cell.workload != workload) continue;
    const std::string name = cell.workload + " " + cell.parameters;
    const VariantResult *a = cell.find(first), *b = cell.find(second);
    if (a == nullptr || b == nullptr || !a->skipped.empty() || !b->skipped.empty()) {
      answer.left_out.push_back(name + ": not every variant ran here");
      continue;
    }
    answer.lines.push_back(
        line_of(name, *a, *b, harness::compare_pair(cell, *a, *b, plan, config.equivalence)));
  }
  if (answer.lines.empty()) return nothing_in_common();
  return answer;
}

Result<ComparisonAnswer> compared(store::Store& store, const Asked& asked) {
  const std::string first = asked.text("first"), second = asked.text("second");
  if (first == second) return Error{ErrorCode::usage, "'" + first + "' is named twice", "name two of them"};
  if (asked.values.contains("workload") != asked.values.contains("run"))
    return Error{ErrorCode::usage, "variants are compared in a run, of a workload",
                 "give run and workload, or neither to compare two runs"};
  if (asked.values.contains("run")) {
    const Result<RunRecord> run =
        store.load(asked.text("run"), {.evidence = false, .workload = asked.text("workload")});
    if (!run) return run.error();
    return compare_stored_variants(*run, asked.text("workload"), first, second);
  }
  const Result<RunRecord> a = store.load(first, {.samples = false, .evidence = false});
  if (!a) return a.error();
  const Result<RunRecord> b = store.load(second, {.samples = false, .evidence = false});
  if (!b) return b.error();
  Result<ComparisonAnswer> answer = compare_records(*a, *b, asked.text("across") == "true");
  if (answer && answer->lines.empty()) return nothing_in_common();
  return answer;
}

Response show_comparison(Served& served, const Asked& asked) {
  return served.store.with([&](store::Store* store) {
    if (store == nullptr) return refusal(404, "there are no results yet", "`aisp run` makes them");
    const Result<ComparisonAnswer> answer = compared(*store, asked);
    if (!answer) return refusal(answer.error());
    return Response{.body = json_document("compare", comparison_json(*answer))};
  });
}

}  // namespace

void add_history_routes(Served& served, Routes& routes) {
  std::vector<server::Parameter> parameters{workload_parameter()};
  for (const Flag& flag : kHistory.flags)
    if (std::ranges::find(kHistoryFlags, flag.name) != kHistoryFlags.end())
      parameters.push_back(parameter_of(flag));
  for (const Flag* flag : {&kTop, &kPoints}) parameters.push_back(parameter_of(*flag));
  routes.push_back({.method = "GET",
                    .path = "/api/v1/history",
                    .summary = kHistory.summary,
                    .parameters = std::move(parameters),
                    .schema = "aisp.history",
                    .properties = {{"search", "object"},
                                   {"counts", "object"},
                                   {"runs", "array"},
                                   {"series", "array"},
                                   {"total", "integer"},
                                   {"hardware", "string"},
                                   {"left_out", "object"}},
                    .answer =
                        [&served, asked_as = AskedAs(served, kHistory)](const Asked& asked) {
                          const Result<Arguments> arguments = asked_as(asked);
                          const Result<std::size_t> top = asked_count(asked, kTop);
                          if (!arguments) return refusal(arguments.error());
                          const Result<std::size_t> points = asked_count(asked, kPoints);
                          if (!top) return refusal(top.error());
                          if (!points) return refusal(points.error());
                          return show_history(served, *arguments, {.series = *top, .points = *points});
                        },
                    .kept = true});
  routes.push_back(
      {.method = "GET",
       .path = "/api/v1/compare",
       .summary = "Two stored runs, or two variants of a workload in one run",
       .parameters = {{.name = "first", .help = "a run, or a variant", .required = true},
                      {.name = "second", .help = "a run, or a variant", .required = true},
                      {.name = "run", .help = "the run whose variants are compared"},
                      {.name = "workload", .help = "whose variants are compared: ch07/transpose"},
                      {.name = "across",
                       .kind = server::Parameter::Kind::choice,
                       .help = "compare runs of different machines",
                       .choices = {"true", "false"}}},
       .schema = "aisp.compare",
       .properties = {{"first", "string"},
                      {"second", "string"},
                      {"run", "string", server::Property::Absence::missing},
                      {"comparisons", "array"},
                      {"left_out", "array"}},
       .answer = [&served](const Asked& asked) { return show_comparison(served, asked); },
       .kept = true});
}

}  // namespace aisp::cli
