// SPDX-License-Identifier: Apache-2.0
#include "aisp/tui/state.h"

#include <algorithm>

#include "aisp/report/text.h"
#include "aisp/tui/filter.h"
#include "aisp/tui/view.h"

namespace aisp::tui {
namespace {

std::string words_of(const harness::WorkloadInfo& workload) {
  std::string text = workload.id + " " + workload.title + " " + workload.idea;
  for (const std::string_view word :
       {name_of(workload.device), name_of(workload.goal), name_of(workload.bound)})
    text += " " + std::string(word);
  for (const std::string& tag : workload.tags) text += " " + tag;
  return text;
}

std::string words_of(const store::CellSummary& row) {
  return row.workload + " " + row.parameters + " " + row.device + " " + row.hardware + " " + row.run + " " +
         row.finished + " " + std::string(name_of(row.validity));
}

bool is_rejected(const VariantResult& v) { return v.skipped.empty() && v.validity >= Validity::invalid; }

/// What one most wants to know about: the first that was rejected, by preference for something that the
/// baseline was not; else the best, else the first.
int most_telling(const CellResult& cell) {
  const auto place = [&](const VariantResult* v) { return static_cast<int>(v - cell.variants.data()); };
  const auto why = [](const VariantResult* v) {
    const Finding* finding = v != nullptr ? report::decisive_finding(*v) : nullptr;
    return finding != nullptr ? finding->guard : std::string();
  };
  const std::string shared = why(cell.baseline());
  const VariantResult* first = nullptr;
  for (const VariantResult& v : cell.variants) {
    if (!is_rejected(v)) continue;
    if (why(&v) != shared) return place(&v);
    if (first == nullptr) first = &v;
  }
  if (first != nullptr) return place(first);
  return cell.best() != nullptr ? place(cell.best()) : 0;
}

}  // namespace

RowDetail detail_of(const CellResult& cell) {
  report::CellRow row = report::cell_row(cell);
  RowDetail detail;
  detail.best = row.variant.name;
  detail.figure = row.variant.spread;
  detail.speedup = row.variant.speedup;
  detail.verdict = row.verdict;
  detail.reasons = std::move(row.reasons);
  for (const VariantResult& v : cell.variants)
    if (is_rejected(v)) ++detail.rejected;
  return detail;
}

RowDetail detail_of(const Error& error) {
  RowDetail detail;
  detail.best = detail.figure = detail.speedup = "–";
  detail.verdict.text = "unreadable";
  detail.verdict.tone = report::Tone::bad;
  report::Reason reason;
  reason.subject = "the store";
  reason.verdict = detail.verdict;
  reason.text = report::visible(error.message);
  detail.reasons.push_back(std::move(reason));
  return detail;
}

std::vector<std::size_t> shown_workloads(const State& state) {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < state.workloads.size(); ++i)
    if (has_words(words_of(state.workloads[i]), state.workload_filter)) shown.push_back(i);
  return shown;
}

std::vector<std::size_t> shown_results(const State& state) {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < state.results.size(); ++i)
    if (has_words(words_of(state.results[i]), state.result_filter)) shown.push_back(i);
  return shown;
}

std::vector<std::int64_t> unread_rows(const State& state, Size size) {
  std::vector<std::int64_t> unread;
  if (state.page() != Page::results) return unread;
  const auto shown = shown_results(state);
  const int rows = list_rows(state, size), count = static_cast<int>(shown.size());
  const int first = state.result_list.first(count, rows);
  for (int i = first; i < std::min(count, first + rows); ++i) {
    const std::int64_t seq = state.results[shown[static_cast<std::size_t>(i)]].seq;
    if (!state.details.contains(seq)) unread.push_back(seq);
  }
  return unread;
}

void show_result(State& state, const store::CellSummary& row, CellResult cell) {
  state.open = OpenResult{.row = row, .cell = std::move(cell)};
  state.open->variant = most_telling(state.open->cell);
  state.pages.push_back({Page::result});
}

void show_comparison(State& state, Comparison comparison) {
  state.comparison = std::move(comparison);
  state.pages.push_back({Page::compare});
}

void show_setup(State& state, const CellResult& cell) {
  state.setup = setup_again(cell);
  state.pages.push_back({Page::setup});
}

void show_run(State& state, std::vector<std::string> words) {
  state.live.emplace(std::move(words));
  state.pages = {{Page::live}};
}

namespace {

void forget_marks_of_rows_gone(State& state) {
  std::erase_if(state.marked, [&](std::int64_t seq) {
    return std::ranges::find(state.results, seq, &store::CellSummary::seq) == state.results.end();
  });
}

}  // namespace

void list_newest(State& state) {
  if (state.listed.empty()) return;
  state.listed.clear();
  // What was listed besides is older than the newest.
  if (state.results.size() > kMostListed) state.results.resize(kMostListed);
  forget_marks_of_rows_gone(state);
}

Status read_results(State& state, Library& library) {
  Result<std::vector<store::CellSummary>> newest = library.results("");
  if (!newest) return newest.error();
  Result<std::vector<store::CellSummary>> of_listed(std::vector<store::CellSummary>{});
  if (!state.listed.empty() && newest->size() >= kMostListed) of_listed = library.results(state.listed);
  if (!of_listed) return of_listed.error();
  take_results(state, *std::move(newest), *of_listed);
  return Ok{};
}

void take_results(State& state, std::vector<store::CellSummary> results,
                  const std::vector<store::CellSummary>& of_listed) {
  state.cut = results.size() >= kMostListed;
  if (!state.cut) state.listed.clear();
  state.listed_cut = of_listed.size() >= kMostListed;
  if (state.cut)
    for (const store::CellSummary& row : of_listed)
      if (row.seq < results.back().seq) results.push_back(row);
  const auto shown = shown_results(state);
  const auto at = static_cast<std::size_t>(state.result_list.chosen);
  // New rows come first: who reads the newest sees them, who has moved on keeps the row.
  const std::int64_t chosen = at > 0 && at < shown.size() ? state.results[shown[at]].seq : 0;
  state.results = std::move(results);
  const auto now = shown_results(state);
  for (std::size_t i = 0; chosen != 0 && i < now.size(); ++i)
    if (state.results[now[i]].seq == chosen) state.result_list.chosen = static_cast<int>(i);
  state.result_list.chosen =
      std::clamp(state.result_list.chosen, 0, std::max(0, static_cast<int>(now.size()) - 1));
  forget_marks_of_rows_gone(state);
}

}  // namespace aisp::tui
