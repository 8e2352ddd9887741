// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "aisp/report/grid.h"
#include "aisp/report/text.h"
#include "aisp/tui/view.h"

namespace aisp::tui {
namespace {

using report::visible;

report::Grid grid_of(const Comparison& comparison, bool figures) {
  std::vector<report::GridCell> names, first, second, ratios, verdicts;
  for (const ComparedVariant& v : comparison.variants) {
    names.push_back({"  " + visible(v.name)});
    first.push_back({v.first});
    second.push_back({v.second});
    ratios.push_back({v.ratio});
    verdicts.push_back({v.verdict.text, v.verdict.tone});
  }
  report::Grid grid;
  grid.add("  variant", report::Align::left, names);
  if (figures) grid.add("first", report::Align::left, first);
  if (figures) grid.add("second", report::Align::left, second);
  grid.add(comparison.ratio_name, report::Align::left, ratios);
  grid.add("verdict", report::Align::left, verdicts);
  return grid;
}

}  // namespace

Lines compare_page(const State& state, Size size) {
  if (!state.comparison) return {};
  const Comparison& comparison = *state.comparison;
  Lines lines{line_of(visible(comparison.what), Style::strong),
              line_of("  first   run " + visible(comparison.first)),
              line_of("  second  run " + visible(comparison.second))};
  append(lines, paragraph(fmt::format("{} of the second over the first; {}", comparison.ratio_name,
                                      visible(comparison.note)),
                          size.columns - 1, Style::faint, "  ", "  "));
  lines.emplace_back();
  const report::Paint paint(true);
  report::Grid grid = grid_of(comparison, true);
  if (grid.width() > size.columns) grid = grid_of(comparison, false);
  grid.squeeze(0, grid.width() - size.columns, 12);
  append(lines, from_painted(grid.header(paint)));
  for (std::size_t i = 0; i < comparison.variants.size(); ++i) {
    append(lines, from_painted(grid.row(i, paint)));
    append(lines, paragraph(visible(comparison.variants[i].reason), size.columns - 1,
                            style_of(comparison.variants[i].verdict.tone), "    └ ", "      "));
  }
  for (const std::string& what : comparison.left_out)
    append(lines, paragraph(visible(what), size.columns - 1, Style::faint, "  ", "  "));
  lines.emplace_back();
  append(lines,
         paragraph("The two were not measured together, so their intervals are combined at their worst. "
                   "`aisp compare WORKLOAD VARIANT VARIANT` measures two variants in the same rounds.",
                   size.columns - 1, Style::faint, "  ", "  "));
  return lines;
}

}  // namespace aisp::tui
