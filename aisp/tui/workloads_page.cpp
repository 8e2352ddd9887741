// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "aisp/report/text.h"
#include "aisp/tui/list_page.h"
#include "aisp/tui/view.h"

namespace aisp::tui {
namespace {

using harness::WorkloadInfo;

struct Measured {
  int count = 0;
  Validity last = Validity::unproven;
};
using MeasuredBy = std::map<std::pair<std::string, DeviceKind>, Measured>;

MeasuredBy measured(const State& state) {
  MeasuredBy by;
  for (const store::CellSummary& row : state.results) {
    Measured& m = by[{row.workload, kind_of(row.device)}];
    if (m.count++ == 0) m.last = row.validity;  // the newest come first
  }
  return by;
}

report::Tone tone_of(Validity validity) {
  return validity == Validity::valid      ? report::Tone::good
         : validity == Validity::unproven ? report::Tone::caution
                                          : report::Tone::bad;
}

Lines pane_of(const WorkloadInfo& workload, int width) {
  Lines lines = paragraph(report::visible(workload.title) + ": " + report::visible(workload.idea), width - 2,
                          Style::plain, " ", " ");
  std::string ladder, sizes;
  for (const harness::VariantInfo& v : workload.variants)
    ladder += (ladder.empty() ? "" : ", ") + report::visible(v.name);
  for (const harness::AxisInfo& axis : workload.axes)
    sizes += fmt::format("{}{} = {}", sizes.empty() ? "" : "; ", report::visible(axis.name),
                         fmt::join(axis.values, ", "));
  append(lines, paragraph(fmt::format("{} variants: {}", workload.variants.size(), ladder), width - 2,
                          Style::faint, " ", " "));
  append(lines, paragraph("sizes: " + sizes, width - 2, Style::faint, " ", " "));
  return lines;
}

}  // namespace

Lines workloads_page(const State& state, Size size) {
  const std::vector<std::size_t> shown = shown_workloads(state);
  const MeasuredBy by = measured(state);
  ListPage page;
  constexpr std::size_t kResults = 4;
  page.columns = {{.header = "workload", .cells = {}, .least = 16},
                  {.header = "device", .cells = {}, .rank = 1},
                  {.header = "goal", .cells = {}, .rank = 2},
                  {.header = "bound by", .cells = {}, .rank = 1},
                  {.header = "results", .align = report::Align::right, .cells = {}},
                  {.header = "newest", .cells = {}},
                  {.header = "idea", .cells = {}, .rank = 3, .least = 24}};
  for (const std::size_t i : shown) {
    const WorkloadInfo& w = state.workloads[i];
    const auto found = by.find({w.id, w.device});
    const Measured m = found == by.end() ? Measured{} : found->second;
    const std::array<report::GridCell, 7> row{
        {{report::visible(w.id)},
         {std::string(name_of(w.device))},
         {std::string(name_of(w.goal))},
         {std::string(name_of(w.bound))},
         {m.count == 0 ? "–" : std::to_string(m.count)},
         {m.count == 0 ? "" : std::string(name_of(m.last)), tone_of(m.last)},
         {report::visible(w.idea)}}};
    for (std::size_t k = 0; k < row.size(); ++k) page.columns[k].cells.push_back(row[k]);
  }
  // Of a part of the results, a count would be wrong.
  if (state.cut) page.columns.erase(page.columns.begin() + kResults);
  page.count = static_cast<int>(shown.size());
  page.list = state.workload_list;
  if (shown.empty()) {
    page.pane = {line_of(" No workload has these words: Esc clears the filter.", Style::caution)};
  } else {
    const auto at = static_cast<std::size_t>(std::clamp(state.workload_list.chosen, 0, page.count - 1));
    page.pane = pane_of(state.workloads[shown[at]], size.columns);
  }
  if (state.cut && !shown.empty())
    page.pane.insert(page.pane.begin(),
                     line_of(fmt::format(" Verdicts are of the newest {} cells; Enter lists "
                                         "those of the chosen workload.",
                                         kMostListedText),
                             Style::faint));
  if (state.results.empty() && !shown.empty())
    page.pane.insert(page.pane.begin(),
                     line_of(" Nothing is stored yet: r measures the chosen workload.", Style::caution));
  return drawn(page, size);
}

}  // namespace aisp::tui
