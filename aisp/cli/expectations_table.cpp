// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/expectations_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "aisp/report/format.h"
#include "aisp/report/grid.h"

namespace aisp::cli {
namespace {

using report::Standing;

constexpr int kLeastVariant = 10;

std::string ratio_text(const std::optional<Estimate>& ratio) {
  if (!ratio) return "-";
  return report::format_ratio(RatioEstimate{.ratio = ratio->value, .low = ratio->low, .high = ratio->high});
}

bool is_unproven(const ExpectedLine& line) {
  return line.standing == Standing::not_valid || line.standing == Standing::unproven ||
         line.standing == Standing::no_interval;
}

report::Tone tone_of(const ExpectedLine& line) {
  if (line.standing == Standing::worse) return report::Tone::bad;
  if (line.below || is_unproven(line)) return report::Tone::caution;
  return line.standing == Standing::better ? report::Tone::good : report::Tone::plain;
}

std::string standing_text(const ExpectedLine& line, double min_speedup) {
  std::string text(name_of(line.standing));
  if (line.below) text += fmt::format(", below {:.4g}x", min_speedup);
  return text;
}

using Shown = std::vector<const ExpectedLine*>;

report::Grid grid_of(const Shown& lines, bool sizes, bool dates, double min_speedup) {
  std::vector<report::GridCell> size, variant, expected, date, now, standing;
  for (const ExpectedLine* line : lines) {
    const report::Expectation& e = line->expected;
    size.push_back({"  " + report::visible(e.parameters)});
    variant.push_back({(sizes ? "" : "  ") + report::visible(e.variant)});
    expected.push_back({ratio_text(e.speedup)});
    date.push_back({line->date.empty() ? "-" : report::visible(line->date)});
    now.push_back({ratio_text(line->now)});
    standing.push_back({standing_text(*line, min_speedup), tone_of(*line)});
  }
  using report::Align;
  report::Grid grid;
  if (sizes) grid.add("  size", Align::left, size);
  grid.add(sizes ? "variant" : "  variant", Align::left, variant);
  grid.add("expected", Align::left, expected);
  if (dates) grid.add("of", Align::left, date);
  grid.add("here", Align::left, now);
  grid.add("standing", Align::left, standing);
  return grid;
}

/// A size that is cut could be that of another row: it goes into the heading instead.
std::string rows_text(const Shown& lines, const ExpectationsLayout& layout, const report::Paint& paint) {
  bool sizes = true;
  report::Grid grid = grid_of(lines, sizes, true, layout.min_speedup);
  if (grid.width() > layout.width) grid = grid_of(lines, sizes, false, layout.min_speedup);
  if (grid.width() > layout.width) grid = grid_of(lines, sizes = false, false, layout.min_speedup);
  if (!sizes) grid.squeeze(0, grid.width() - layout.width, kLeastVariant);
  std::string text = grid.header(paint), before;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const report::Expectation& e = lines[i]->expected;
    const std::string heading = report::visible(sizes ? e.workload : e.workload + " " + e.parameters);
    if (heading != before) text += paint.bold(heading) + "\n";
    before = heading;
    text += grid.row(i, paint);
  }
  return text;
}

}  // namespace

ExpectationCounts count(const std::vector<ExpectedLine>& lines) {
  ExpectationCounts counts;
  for (const ExpectedLine& line : lines) {
    counts.committed += line.standing != Standing::not_measured;
    counts.worse += line.standing == Standing::worse;
    counts.below += line.below;
    counts.unproven += is_unproven(line);
    counts.not_run += line.standing == Standing::not_run;
    counts.not_measured += line.standing == Standing::not_measured;
  }
  return counts;
}

std::string expectations_table(const std::vector<ExpectedLine>& lines, const std::string& hardware,
                               const ExpectationsLayout& layout) {
  const report::Paint paint(layout.color);
  const ExpectationCounts counts = count(lines);
  Shown committed;
  for (const ExpectedLine& line : lines)
    if (line.standing != Standing::not_measured) committed.push_back(&line);
  std::string text = report::visible(hardware) + "\n";
  if (!committed.empty()) text += rows_text(committed, layout, paint);
  text += fmt::format(
      "{} row{}: {} worse, {} with less than {:.4g}x, {} unproven or without an interval, {} not run here.\n",
      counts.committed, counts.committed == 1 ? "" : "s", counts.worse, counts.below, layout.min_speedup,
      counts.unproven, counts.not_run);
  if (counts.worse > 0)
    text += fmt::format(
        "Worse: the interval here ends more than {:.0f} % below where the expected one begins, or a guard "
        "rejects\nwhat was valid.\n",
        100 * report::kOtherDay);
  const auto here_unproven = [](const ExpectedLine& line) { return line.standing == Standing::unproven; };
  if (const auto first = std::ranges::find_if(lines, here_unproven); first != lines.end())
    text += fmt::format(
        "Unproven here: no result of it on this hardware is valid, so the latest proves nothing;\n"
        "`aisp show {}` says what is missing.\n",
        report::visible(first->run));
  if (counts.not_run > 0)
    text +=
        "Not run here: the store has no result of it on this hardware, so nothing is said of it;\n"
        "`aisp run WORKLOAD` makes one.\n";
  if (counts.not_measured > 0)
    text += fmt::format(
        "{} more size{} of this program {} committed by nobody and not shown: --json lists them.\n",
        counts.not_measured, counts.not_measured == 1 ? "" : "s", counts.not_measured == 1 ? "is" : "are");
  return text;
}

}  // namespace aisp::cli
