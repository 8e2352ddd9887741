// SPDX-License-Identifier: Apache-2.0
// The first page's questions in one answer: what is fastest, what is rejected, what is new.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "aisp/analysis/leaderboard.h"
#include "aisp/cli/documents.h"
#include "aisp/cli/json_document.h"
#include "aisp/cli/megabytes.h"
#include "aisp/cli/serve_routes.h"
#include "aisp/cli/stored_rounds.h"
#include "aisp/core/memory_resolution.h"
#include "aisp/store/feed.h"

namespace aisp::cli {
namespace {

using server::Asked;
using server::refusal;
using server::Response;

constexpr std::size_t kLeaders = 10, kRejected = 50, kMemory = 10, kRecent = 10;

Json place_json(const Figure& figure) {
  return {{"hardware", printable_utf8(figure.hardware)},
          {"workload", printable_utf8(figure.workload)},
          {"parameters", printable_utf8(figure.parameters)},
          {"device", printable_utf8(figure.device)},
          {"variant", printable_utf8(figure.variant)}};
}

Json verdicts_json(const std::vector<Figure>& figures) {
  Json counts = Json::object();
  for (int i = 0; i < kEnumCount<Validity>; ++i) counts[std::string(name_of(static_cast<Validity>(i)))] = 0;
  for (const Figure& figure : figures) {
    Json& count = counts[std::string(name_of(figure.validity))];
    count = count.get<int>() + 1;
  }
  return counts;
}

/// What the guards that rejected a variant said of it; nothing where the run was pruned or cannot be read.
Json reasons_json(const Result<CellResult>& cell, const std::string& variant) {
  Json reasons = Json::array();
  if (!cell) return reasons;
  const auto found = std::ranges::find(cell->variants, variant, &VariantResult::name);
  if (found == cell->variants.end()) return reasons;
  for (const Finding& finding : found->findings) {
    if (finding.level != Level::reject || finding.waived) continue;
    reasons.push_back({{"guard", printable_utf8(finding.guard)},
                       {"because", printable_utf8(finding.because)},
                       {"hint", printable_utf8(finding.hint)}});
  }
  return reasons;
}

/// The newest first. Reasons are not among the figures: a cell is read once for all of its variants, and
/// these lie together in this order.
Json rejected_json(const std::vector<Figure>& figures, store::Store* store) {
  std::vector<const Figure*> rejected;
  for (const Figure& figure : figures)
    if (figure.validity >= Validity::invalid) rejected.push_back(&figure);
  std::ranges::stable_sort(rejected, [](const Figure* a, const Figure* b) { return a->seq > b->seq; });
  Json list = Json::array();
  std::optional<Result<CellResult>> cell;
  std::int64_t seq = -1;
  for (const Figure* figure : rejected) {
    if (list.size() == kRejected || store == nullptr) break;
    if (!cell || seq != figure->seq) cell.emplace(store->load_cell(seq = figure->seq));
    list.push_back(place_json(*figure));
    list.back()["validity"] = std::string(name_of(figure->validity));
    list.back()["run"] = printable_utf8(figure->run);
    list.back()["seq"] = figure->seq;
    list.back()["finished"] = printable_utf8(figure->finished);
    list.back()["reasons"] = reasons_json(*cell, figure->variant);
  }
  return list;
}

/// Valid variants that surely hold less than the baseline of their own cell does.
Json memory_json(const std::vector<Figure>& figures) {
  struct Saving {
    const Figure* figure;
    double percent;
  };
  std::map<std::pair<std::int64_t, std::string_view>, double> baselines;
  for (const Figure& figure : figures)
    if (figure.baseline && figure.peak_bytes) baselines[{figure.seq, figure.variant}] = *figure.peak_bytes;
  std::vector<Saving> savings;
  for (const Figure& figure : figures) {
    if (figure.baseline || figure.validity != Validity::valid || !figure.peak_bytes) continue;
    const auto baseline = baselines.find({figure.seq, figure.against});
    if (baseline == baselines.end() || !less_memory(*figure.peak_bytes, baseline->second, figure.device))
      continue;
    savings.push_back({&figure, 100 * (1 - *figure.peak_bytes / baseline->second)});
  }
  std::ranges::stable_sort(savings, [](const Saving& a, const Saving& b) { return a.percent > b.percent; });
  Json list = Json::array();
  for (const Saving& saving : savings) {
    if (list.size() == kMemory) break;
    list.push_back(place_json(*saving.figure));
    list.back()["peak_mb"] = megabytes(saving.figure->peak_bytes);
    list.back()["memory_savings_pct"] = saving.percent;
  }
  return list;
}

Response show_summary(Served& served) {
  return served.store.with([&](store::Store* store) {
    store::StoreCounts counts;
    std::vector<std::string> hardware;
    std::vector<store::RunSummary> recent;
    if (store != nullptr) {
      const auto counted = store::counts(*store);
      const auto names = store::hardware_with_results(*store);
      const auto runs = store->list({.limit = kRecent});
      if (!counted) return refusal(counted.error());
      if (!names) return refusal(names.error());
      if (!runs) return refusal(runs.error());
      counts = *counted;
      hardware = *names;
      recent = *runs;
    }
    const Result<Figures> read = served.store.figures(store, Arguments{});
    if (!read) return refusal(read.error());
    const std::vector<Figure>& figures = **read;
    std::set<std::string_view> measured, known;
    for (const Figure& figure : figures) measured.insert(figure.workload);
    for (const auto& workload : served.catalogue) known.insert(workload.id);
    std::vector<analysis::Standing> standings = analysis::standings(figures, std::nullopt);
    StoredRounds rounds(store);
    auto decided = leaders_by_rounds(standings, rounds);
    if (!decided) return refusal(decided.error());
    std::vector<analysis::Leader>& leaders = *decided;
    if (leaders.size() > kLeaders) leaders.resize(kLeaders);
    return Response{.body = json_document(
                        "summary", {{"store", to_json(counts)},
                                    {"workloads", {{"known", known.size()}, {"measured", measured.size()}}},
                                    {"hardware", to_json(hardware)},
                                    {"verdicts", verdicts_json(figures)},
                                    {"leaders", leaders_json(leaders)},
                                    {"rejected", rejected_json(figures, store)},
                                    {"memory", memory_json(figures)},
                                    {"recent", runs_json(recent)["runs"]}}),
                    .lasts = !any_runs_still(recent)};
  });
}

}  // namespace

void add_summary_routes(Served& served, Routes& routes) {
  routes.push_back({.method = "GET",
                    .path = "/api/v1/summary",
                    .summary = "What is stored, what is fastest, what is rejected, what is new",
                    .schema = "aisp.summary",
                    .properties = {{"store", "object"},
                                   {"workloads", "object"},
                                   {"hardware", "array"},
                                   {"verdicts", "object"},
                                   {"leaders", "array"},
                                   {"rejected", "array"},
                                   {"memory", "array"},
                                   {"recent", "array"}},
                    .answer = [&served](const Asked&) { return show_summary(served); },
                    .kept = true,
                    .aliases = {"/api/summary"}});
}

}  // namespace aisp::cli
