// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "aisp/report/format.h"
#include "aisp/report/text.h"
#include "aisp/tui/bar.h"
#include "aisp/tui/view.h"

namespace aisp::tui {
namespace {

using report::Align;
using report::LookedVariant;
using report::pad;
using report::shorten;
using report::visible;

constexpr std::size_t kLogShown = 6, kFinishedShown = 8;

std::string duration_text(double seconds) {
  const int whole = static_cast<int>(std::lround(std::min(seconds, 1e6)));
  return whole < 60 ? fmt::format("{} s", whole) : fmt::format("{} min {:02} s", whole / 60, whole % 60);
}

/// "±16% ±4.1%": how wide the interval was at the last looks, of which the last is now.
std::string narrowing(const std::vector<double>& half_widths, std::size_t most) {
  std::string text;
  for (std::size_t i = half_widths.size() - std::min(most, half_widths.size()); i < half_widths.size(); ++i)
    text += (text.empty() ? "±" : " ±") +
            (half_widths[i] < 10 ? report::format_percent(100 * half_widths[i]) : std::string("?"));
  return text;
}

Line progress_line_of(const LiveRun& live, int width) {
  const double share = live.running() ? std::clamp(live.now.share, 0.0, 1.0) : 1.0;
  std::string after = fmt::format(" {:3.0f}%", 100 * share);
  if (const auto left = live.seconds_left()) after += "  about " + duration_text(*left) + " left";
  after = pad(after, 26, Align::left);
  const int room = std::clamp(width - 4 - report::display_width(after), 10, 60);
  std::string bar(static_cast<std::size_t>(room), '.');
  std::fill_n(bar.begin(), static_cast<int>(share * room), '#');
  return line_of("  [" + bar + "]" + after);
}

Style style_of_variant(const LookedVariant& variant) {
  if (variant.validity && *variant.validity >= Validity::invalid) return Style::bad;
  if (!variant.ratio) return Style::plain;
  return variant.ratio->low > 1 ? Style::good : variant.ratio->high < 1 ? Style::bad : Style::plain;
}

Lines variant_lines(const LiveRun& live, int width) {
  if (live.variants.empty())
    return {line_of("  No look at the data yet: the first comes after 24 rounds.", Style::faint)};
  int names = 8;
  int ratios = 18;
  for (const LookedVariant& v : live.variants) {
    names = std::max(names, report::display_width(visible(v.name)));
    ratios = std::max(ratios, report::display_width(ratio_text(v)));
  }
  names = std::min(names, width / 4);
  ratios = std::min(ratios, width / 3);
  const std::size_t looks = width >= 110 ? 3 : 1;
  const int narrow = looks == 3 ? 22 : 7;
  std::vector<Estimate> intervals;
  for (const LookedVariant& v : live.variants)
    if (v.ratio) intervals.push_back(*v.ratio);
  const Axis axis = axis_of(intervals, std::min(width - names - ratios - narrow - 9, 72));
  const auto row = [&](const std::string& name, const std::string& ratio, const std::string& narrowed) {
    return "  " + pad(shorten(name, names), names, Align::left) + "  " +
           pad(shorten(ratio, ratios), ratios, Align::left) + "  " + pad(narrowed, narrow, Align::left) +
           "  ";
  };
  Lines lines{line_of(row("variant", "ratio", looks == 3 ? "at the last looks" : "now") + axis.labels(),
                      Style::strong)};
  for (const LookedVariant& v : live.variants) {
    const bool baseline = v.name == live.now.baseline;
    Line line = line_of(row(visible(v.name), baseline ? "baseline" : ratio_text(v),
                            baseline ? "" : narrowing(live.half_widths(v.name), looks)));
    line.spans.push_back({v.ratio ? axis.bar(*v.ratio) : axis.empty(), style_of_variant(v)});
    lines.push_back(std::move(line));
  }
  return lines;
}

Lines finished_lines(const LiveRun& live, int width) {
  Lines lines;
  const std::size_t count = live.finished.size();
  for (std::size_t i = count - std::min(count, kFinishedShown); i < count; ++i) {
    const report::ProgressEvent& cell = live.finished[i];
    const Style style = cell.validity == "valid"      ? Style::good
                        : cell.validity == "unproven" ? Style::caution
                                                      : Style::bad;
    Line line = line_of("  " + pad(visible(cell.validity), 10, Align::left), style);
    line.spans.push_back({shorten(fmt::format("{} {}  {} rounds, stopped: {}", visible(cell.workload),
                                              visible(cell.parameters), cell.rounds, visible(cell.status)),
                                  width - 13)});
    lines.push_back(std::move(line));
  }
  return lines;
}

Line state_line(const LiveRun& live) {
  if (!live.running()) {
    const Style style = *live.exit_code == 0 ? Style::good : Style::caution;
    return line_of(fmt::format("  ended with exit code {}: {}", *live.exit_code, exit_text(*live.exit_code)),
                   style);
  }
  std::string text = live.now.event.empty() ? "  starting" : "  " + visible(live.now.what);
  if (live.now.looks > 0)
    text += fmt::format("; look {} of at most {}; stops at ±{}", live.now.look, live.now.looks,
                        report::format_percent(100 * live.now.precision));
  return line_of(std::move(text), Style::faint);
}

}  // namespace

std::string ratio_text(const LookedVariant& variant) {
  if (!variant.skipped.empty()) return "skipped";
  if (!variant.ratio) return "–";
  RatioEstimate ratio;
  ratio.ratio = variant.ratio->value;
  ratio.low = variant.ratio->low;
  ratio.high = variant.ratio->high;
  return report::format_ratio(ratio);
}

Lines live_page(const State& state, Size size) {
  if (!state.live) {
    Lines lines{Line{}, line_of("  No run was started here.", Style::strong), Line{}};
    append(lines,
           paragraph("Press 1, choose a workload, then r. A run that another terminal starts shows in the "
                     "results as its cells are finished.",
                     size.columns - 2, Style::plain, "  ", "  "));
    return lines;
  }
  const LiveRun& live = *state.live;
  const int width = size.columns;
  std::string title = live.now.workload.empty()
                          ? command_text(live.command)
                          : visible(live.now.workload) + "  " + visible(live.now.parameters);
  std::string place = live.now.cells == 0 ? ""
                                          : fmt::format("cell {} of {}, run {} ", live.now.cell,
                                                        live.now.cells, visible(live.now.run));
  const int room = std::max(10, width - report::display_width(place) - 1);
  Lines lines{
      Line{{{pad(shorten(title, room), room, Align::left), Style::strong}, {" " + place, Style::faint}}},
      progress_line_of(live, width), state_line(live), Line{}};
  append(lines, variant_lines(live, width));
  if (!live.finished.empty()) {
    lines.emplace_back();
    lines.push_back(line_of(fmt::format("Finished cells ({})", live.finished.size()), Style::strong));
    append(lines, finished_lines(live, width));
  }
  if (!live.log.empty()) {
    lines.emplace_back();
    lines.push_back(line_of("It said", Style::strong));
    const std::size_t count = live.log.size();
    for (std::size_t i = count - std::min(count, kLogShown); i < count; ++i)
      append(lines, paragraph(live.log[i], width - 1, Style::plain, "  ", "    "));
  }
  return lines;
}

}  // namespace aisp::tui
