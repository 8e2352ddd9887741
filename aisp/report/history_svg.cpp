// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "aisp/report/format.h"
#include "aisp/report/history.h"
#include "aisp/report/history_rows.h"
#include "aisp/report/svg.h"
#include "aisp/report/text.h"

namespace aisp::report {
namespace {

constexpr double kWidth = 720, kPanel = 150, kLeft = 76, kRight = 708, kTop = 34, kBottom = 128;

// On its own a picture has no page to take colours from.
constexpr std::string_view kStyle =
    "<style>text{font:11px system-ui,sans-serif;fill:#1b1f24}.tick,.muted{fill:#5b6470}.title{font-size:13px;"
    "font-weight:600}.grid{stroke:#e9ecf0}.level{stroke:#1b1f24;stroke-width:1.6}.cut{stroke:#5b6470;"
    "stroke-dasharray:3 3}.cut.bad{stroke:#b03a00;stroke-dasharray:none;stroke-width:1.6}.whisker{stroke:"
    "#56b4e9}.point{fill:#0072b2}.page{fill:#fff}</style>\n";

bool worth_a_picture(const ExaminedSeries& each) {
  const auto tells = [](const HistoryChange& change) { return change.status != ChangeStatus::small; };
  const auto creeps = [](const HistoryDrift& drift) { return !drift.small; };
  return std::ranges::any_of(each.drifts, creeps) || std::ranges::any_of(each.changes, tells);
}

Scale heights_of(const HistorySeries& series, double offset) {
  std::vector<double> values, ends;
  for (const HistoryPoint& point : series.points) {
    values.push_back(point.value.value);
    ends.insert(ends.end(), {point.value.value, point.value.low, point.value.high});
  }
  // An interval down to nothing needs no logarithm: only values choose it.
  return scale_over(ends, offset + kBottom, offset + kTop, wants_log(values));
}

/// The day; of points of one day their time and what they were built from, too.
std::string label_of(const HistoryPoint& point, const HistoryPoint& other) {
  const std::string day = point.time.substr(0, 10);
  if (day != other.time.substr(0, 10) || point.time.size() < 19) return day;
  const std::string& commit = point.run->commit;
  return day + " " + point.time.substr(11, 8) + (commit == other.run->commit ? "" : " " + commit);
}

void draw_series(Svg& svg, const ExaminedSeries& each, double offset) {
  const HistorySeries& series = each.series;
  const Scale y = heights_of(series, offset);
  const auto x = [&](double index) {
    return kLeft + (index + 0.5) / static_cast<double>(series.points.size()) * (kRight - kLeft);
  };
  svg.text(kLeft, offset + 20, series.workload + " " + series.parameters + " " + series.variant, "title");
  for (const double tick : ticks(y, 4)) {
    svg.line(kLeft, y.at(tick), kRight, y.at(tick), "grid");
    svg.text(kLeft - 6, y.at(tick) + 4, format_figure({tick, tick, tick}, series.goal, Detail::value), "tick",
             "end");
  }
  std::size_t from = 0;
  for (const HistoryChange& change : each.changes) {
    const double at = x(static_cast<double>(change.at) - 0.5);
    svg.line(at, offset + kTop, at, offset + kBottom, change.alerts() ? "cut bad" : "cut");
    svg.text(at + 4, offset + kTop + 8,
             format_ratio(change.ratio) + " " + std::string(name_of(change.status)), "muted");
    svg.line(x(static_cast<double>(from)), y.at(change.before), x(static_cast<double>(change.at) - 1),
             y.at(change.before), "level");
    from = change.at;
  }
  if (!each.changes.empty())
    svg.line(x(static_cast<double>(from)), y.at(each.changes.back().after),
             x(static_cast<double>(series.points.size()) - 1), y.at(each.changes.back().after), "level");
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const HistoryPoint& point = series.points[i];
    const double at = x(static_cast<double>(i));
    svg.line(at, y.at(point.value.low), at, y.at(point.value.high), "whisker");
    svg.circle(at, y.at(point.value.value), 2.4, "point",
               fmt::format("{} {}: {}", point.time, point.run->commit,
                           format_figure(point.value, series.goal, Detail::interval)));
  }
  if (series.points.empty()) return;
  const HistoryPoint &first = series.points.front(), &last = series.points.back();
  svg.text(kLeft, offset + kBottom + 14, label_of(first, last), "tick");
  if (series.points.size() > 1) svg.text(kRight, offset + kBottom + 14, label_of(last, first), "tick", "end");
}

}  // namespace

std::string render_history_svg(std::span<const ExaminedSeries> examined, bool all) {
  std::vector<const ExaminedSeries*> drawn;
  for (const ExaminedSeries& each : examined) {
    if (all || worth_a_picture(each)) drawn.push_back(&each);
  }
  const double height = kPanel * static_cast<double>(std::max<std::size_t>(drawn.size(), 1));
  Svg svg(kWidth, height, "Results over time");
  svg.rect(0, 0, kWidth, height, "page");
  if (drawn.empty()) svg.text(kLeft, 40, "No series with a change", "muted");
  for (std::size_t i = 0; i < drawn.size(); ++i) draw_series(svg, *drawn[i], kPanel * static_cast<double>(i));
  std::string picture = std::move(svg).finish();
  picture.insert(picture.find('\n') + 1, kStyle);
  return picture;
}

}  // namespace aisp::report
