// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "aisp/report/format.h"
#include "aisp/report/plots.h"
#include "aisp/report/svg.h"

namespace aisp::report {
namespace {

constexpr double kWidth = 1120, kLeft = 190, kRight = 1000, kTop = 12, kBottom = 212;
constexpr int kSteps = 100;  // points of a curve; the eye sees no more on 800 pixels
constexpr double kMarks[] = {0.5, 0.9, 0.99};

struct Curve {
  const VariantResult* variant;
  std::vector<double> items;  ///< ascending

  double quantile(double p) const {
    return items[std::min(items.size() - 1, static_cast<std::size_t>(p * static_cast<double>(items.size())))];
  }
};

std::vector<Curve> curves_of(const CellResult& cell) {
  std::vector<Curve> curves;
  for (const VariantResult& variant : cell.variants) {
    Curve curve{&variant, {}};
    for (const std::vector<double>& items : variant.samples.items) {
      std::ranges::copy_if(items, std::back_inserter(curve.items),
                           [](double ns) { return std::isfinite(ns); });
    }
    if (curve.items.empty()) continue;
    std::ranges::sort(curve.items);
    curves.push_back(std::move(curve));
  }
  return curves;
}

}  // namespace

std::string plot_latencies(const CellResult& cell) {
  const std::vector<Curve> curves = curves_of(cell);
  if (curves.empty()) return "";
  std::vector<double> ends;
  for (const Curve& curve : curves) ends.insert(ends.end(), {curve.items.front(), curve.items.back()});
  const Scale x = scale_over(ends, kLeft, kRight, wants_log(ends));
  const Scale y{0, 1, kBottom, kTop, false};
  Svg svg(kWidth, kBottom + 38, "Latency of the items: share answered within a time");
  draw_axis(svg, x, kTop, kBottom, 8, tick_time);
  for (const double share : {0.0, 0.5, 0.9, 1.0}) {
    svg.line(kLeft, y.at(share), kRight, y.at(share), "grid");
    svg.text(kLeft - 6, y.at(share) + 4, fmt::format("{:.0f}%", 100 * share), "tick", "end");
  }
  double legend = kTop + 14;
  for (const Curve& curve : curves) {
    const std::string role = role_of(cell, *curve.variant);
    const std::string name = visible(curve.variant->name);
    Points points;
    for (int i = 0; i <= kSteps; ++i) {
      const double share = static_cast<double>(i) / kSteps;
      points.emplace_back(x.at(curve.quantile(share)), y.at(share));
    }
    svg.polyline(points, "curve " + role, name);
    for (const double p : kMarks) {
      const std::string title = fmt::format("{}: p{:.0f} {}", name, 100 * p, format_time(curve.quantile(p)));
      svg.circle(x.at(curve.quantile(p)), y.at(p), 3.5, "point " + role, title);
    }
    svg.line(8, legend - 4, 26, legend - 4, "curve " + role);
    svg.text(32, legend, shorten(name, 18), "label", "start", name);
    for (const double p : kMarks) {
      legend += 15;
      svg.text(32, legend, fmt::format("p{:.0f} {}", 100 * p, format_time(curve.quantile(p))), "muted");
    }
    legend += 24;
  }
  svg.text((kLeft + kRight) / 2, kBottom + 31, "latency of an item, arrival to answer", "axis-name",
           "middle");
  return std::move(svg).finish();
}

}  // namespace aisp::report
