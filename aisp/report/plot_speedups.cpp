// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "aisp/report/format.h"
#include "aisp/report/plots.h"
#include "aisp/report/svg.h"

namespace aisp::report {
namespace {

constexpr double kWidth = 560, kLeft = 132, kRight = 400, kRow = 30;
constexpr int kNameColumns = 18;  // more begin outside the drawing

struct Line {
  std::string name;
  std::string css;
  const RatioEstimate* ratio = nullptr;
  std::string instead;  ///< text in place of an interval
};

bool drawable(const RatioEstimate& r) { return std::isfinite(r.ratio) && r.ratio > 0; }

std::string outcome_class(const RatioEstimate& r) {
  if (r.outcome == Outcome::faster) return "better";
  if (r.outcome == Outcome::slower) return "worse";
  return r.outcome == Outcome::equivalent ? "same" : "unclear";
}

std::vector<Line> lines_of(const CellResult& cell) {
  std::vector<Line> lines;
  for (const VariantResult& variant : cell.variants) {
    if (&variant == cell.baseline() || !variant.skipped.empty()) continue;
    Line line{visible(variant.name), "", nullptr, ""};
    const bool believable = variant.validity == Validity::valid || variant.validity == Validity::unproven;
    if (!believable) {
      // A rejected claim would stretch the axis and look like a result.
      line.instead = std::string(name_of(variant.validity)) + ", not compared";
    } else if (!variant.speedup || !drawable(*variant.speedup)) {
      line.instead = "not compared";
    } else {
      line.ratio = &*variant.speedup;
      line.css = outcome_class(*line.ratio);
    }
    lines.push_back(std::move(line));
  }
  if (cell.aa && drawable(*cell.aa))
    lines.push_back({"A/A (" + visible(cell.aa->against) + " twice)", "aa", &*cell.aa, ""});
  return lines;
}

void draw_line(Svg& svg, const Line& line, const Scale& x, double y) {
  svg.name(kLeft - 8, y, line.name, kNameColumns, "label", "end");
  if (line.ratio == nullptr) {
    svg.text(kRight + 10, y + 4, line.instead, "muted");
    return;
  }
  const RatioEstimate& r = *line.ratio;
  const std::string text = format_ratio(r);
  const std::string title =
      fmt::format("{}: {}, {} rounds, {}", line.name, text, r.rounds, visible(r.method));
  const double low = x.at(std::isfinite(r.low) ? r.low : x.low);
  const double high = x.at(std::isfinite(r.high) ? r.high : x.high);
  svg.line(low, y, high, y, "whisker " + line.css);
  svg.line(low, y - 4, low, y + 4, "whisker " + line.css);
  svg.line(high, y - 4, high, y + 4, "whisker " + line.css);
  svg.circle(x.at(r.ratio), y, 4, "point " + line.css, title);
  svg.text(kRight + 10, y + 4, text, "value", "start", title);
}

/// Every end of every interval, the line at 1 and the region around it.
std::vector<double> extent(const std::vector<Line>& lines, double equivalence) {
  std::vector<double> values{1 - equivalence, 1 + equivalence};
  for (const Line& line : lines) {
    if (line.ratio != nullptr)
      values.insert(values.end(), {line.ratio->low, line.ratio->ratio, line.ratio->high});
  }
  return values;
}

std::string tick_ratio(double ratio) { return fmt::format("{:.4g}x", ratio); }

}  // namespace

std::string plot_speedups(const CellResult& cell, double equivalence) {
  const std::vector<Line> lines = lines_of(cell);
  if (std::ranges::none_of(lines, [](const Line& line) { return line.ratio != nullptr; })) return "";
  const double region = std::isfinite(equivalence) ? std::clamp(equivalence, 0.0, 0.9) : 0;
  const Scale x = scale_over(extent(lines, region), kLeft, kRight, true);
  const double bottom = 14 + kRow * static_cast<double>(lines.size());
  Svg svg(kWidth, bottom + 38, "Ratio to the baseline of each variant with its interval");
  svg.rect(x.at(1 - region), 8, x.at(1 + region) - x.at(1 - region), bottom - 8, "region",
           fmt::format("region of practical equivalence, ±{}", format_percent(100 * region)));
  draw_axis(svg, x, 8, bottom, 6, tick_ratio);
  svg.line(x.at(1), 8, x.at(1), bottom, "unity");
  double y = 14 + kRow / 2;
  for (const Line& line : lines) {
    draw_line(svg, line, x, y);
    y += kRow;
  }
  svg.text((kLeft + kRight) / 2, bottom + 31, "times better than the baseline, logarithmic", "axis-name",
           "middle");
  return std::move(svg).finish();
}

std::string plot_interval(const RatioEstimate& ratio, double low, double high, double equivalence) {
  if (!drawable(ratio) || !(low > 0) || !(high > low)) return "";
  constexpr double kMiniWidth = 120, kMiniHeight = 16, kMiddle = 8;
  const double ends[] = {low, high};
  const Scale x = scale_over(ends, 4, kMiniWidth - 4, true);
  Svg svg(kMiniWidth, kMiniHeight, "interval " + format_ratio(ratio));
  svg.rect(x.at(1 - equivalence), 1, x.at(1 + equivalence) - x.at(1 - equivalence), kMiniHeight - 2,
           "region");
  svg.line(x.at(1), 1, x.at(1), kMiniHeight - 1, "unity");
  const std::string css = outcome_class(ratio);
  svg.line(x.at(std::isfinite(ratio.low) ? ratio.low : low), kMiddle,
           x.at(std::isfinite(ratio.high) ? ratio.high : high), kMiddle, "whisker " + css);
  svg.circle(x.at(ratio.ratio), kMiddle, 3.5, "point " + css);
  return std::move(svg).finish();
}

}  // namespace aisp::report
