// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "aisp/report/text.h"
#include "aisp/tui/list_page.h"
#include "aisp/tui/view.h"

namespace aisp::tui {
namespace {

/// The page where there is nothing to list: what it is for, and what to do.
Lines empty_store(const State& state, Size size) {
  Lines lines{Line{}, line_of("  There are no results yet.", Style::strong), Line{}};
  append(lines,
         paragraph("Press 1, choose a workload with the arrows, then r: it is measured and comes here. "
                   "`aisp run ch07 --suite quick` in another terminal does the same.",
                   size.columns - 2, Style::plain, "  ", "  "));
  lines.emplace_back();
  append(lines,
         paragraph("Store: " + report::visible(state.place), size.columns - 2, Style::faint, "  ", "  "));
  return lines;
}

std::string why(const RowDetail& detail) {
  if (detail.reasons.empty()) return "";
  const report::Reason& reason = detail.reasons.front();
  return reason.subject + " " + reason.verdict.text + ": " + reason.text;
}

Lines pane_of(const store::CellSummary& row, const RowDetail* detail, int width) {
  Lines lines{
      line_of(" " + report::visible(row.workload) + "  " + report::visible(row.parameters), Style::strong),
      line_of(fmt::format(" run {}  {}  {}  {}", report::visible(row.run), short_time(row.finished),
                          report::visible(row.device), report::visible(row.hardware)),
              Style::faint)};
  if (detail == nullptr) return lines;
  if (detail->best != "–")
    lines.push_back(line_of(fmt::format(" best {}  {}  {}", detail->best, detail->figure, detail->speedup)));
  for (const report::Reason& reason : detail->reasons)
    append(lines, paragraph(reason.subject + " " + reason.verdict.text + ": " + reason.text, width - 2,
                            style_of(reason.verdict.tone), " └ ", "   "));
  if (detail->reasons.empty()) lines.push_back(line_of(" no guard objected", Style::good));
  return lines;
}

report::Tone tone_of(const RowDetail& detail) {
  return detail.rejected > 0 ? report::Tone::bad : report::Tone::plain;
}

}  // namespace

Lines results_page(const State& state, Size size) {
  if (state.results.empty()) return empty_store(state, size);
  const std::vector<std::size_t> shown = shown_results(state);
  ListPage page;
  page.columns = {{.header = "workload", .cells = {}, .least = 12},
                  {.header = "size", .cells = {}, .least = 8},  // else those of one workload look alike
                  {.header = "device", .cells = {}, .rank = 5},
                  {.header = "best", .cells = {}, .rank = 3, .least = 8},
                  {.header = "time", .cells = {}, .rank = 4},
                  {.header = "speed-up", .cells = {}},
                  {.header = "verdict", .cells = {}},
                  {.header = "rej.", .align = report::Align::right, .cells = {}, .rank = 1},
                  {.header = "finished", .cells = {}, .rank = 2},
                  {.header = "why", .cells = {}, .rank = 6, .least = 20}};
  for (const std::size_t i : shown) {
    const store::CellSummary& row = state.results[i];
    const auto found = state.details.find(row.seq);
    RowDetail detail;
    detail.best = detail.figure = detail.speedup = "…";
    detail.verdict.text = name_of(row.validity);
    if (found != state.details.end()) detail = found->second;
    const std::array<report::GridCell, 10> cells{
        {{report::visible(row.workload)},
         {report::visible(row.parameters)},
         {report::visible(row.device)},
         {detail.best},
         {detail.figure},
         {detail.speedup},
         {detail.verdict.text, detail.verdict.tone},
         {detail.rejected > 0 ? std::to_string(detail.rejected) : "", tone_of(detail)},
         {short_time(row.finished)},
         {why(detail), detail.reasons.empty() ? report::Tone::plain : detail.reasons.front().verdict.tone}}};
    for (std::size_t k = 0; k < cells.size(); ++k) page.columns[k].cells.push_back(cells[k]);
  }
  page.count = static_cast<int>(shown.size());
  page.list = state.result_list;
  page.mark = [&](int i) {
    const std::int64_t seq = state.results[shown[static_cast<std::size_t>(i)]].seq;
    return std::string(std::ranges::find(state.marked, seq) != state.marked.end() ? "*" : " ");
  };
  if (shown.empty()) {
    page.pane = {
        line_of(" No result has these words: Esc clears the filter, or 1 and r measure it.", Style::caution)};
  } else {
    const store::CellSummary& row =
        state.results[shown[static_cast<std::size_t>(std::clamp(page.list.chosen, 0, page.count - 1))]];
    const auto found = state.details.find(row.seq);
    page.pane = pane_of(row, found == state.details.end() ? nullptr : &found->second, size.columns);
  }
  return drawn(page, size);
}

}  // namespace aisp::tui
