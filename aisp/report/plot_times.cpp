// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "aisp/report/format.h"
#include "aisp/report/plots.h"
#include "aisp/report/svg.h"
#include "aisp/stats/summary.h"

namespace aisp::report {
namespace {

constexpr double kWidth = 560, kLeft = 132, kRight = 470, kRow = 36;
constexpr int kNameColumns = 18;        // more begin outside the drawing
constexpr std::size_t kMostDots = 400;  // more would only darken the strip and swell the file

/// Spread of neighbouring dots across the strip: multiples of the golden ratio never clump.
double jitter(std::size_t i) { return std::fmod(static_cast<double>(i) * 0.6180339887, 1.0) * 2 - 1; }

struct Strip {
  const VariantResult* variant;
  std::vector<double> times;
  double middle = 0;  ///< what the axis is relative to: 0 (absolute times) or the variant's median
  /// The axis shows times, or per cent of the variant's own median.
  double on_axis(double ns) const { return middle > 0 ? 100 * (ns / middle - 1) : ns; }
};

/// Bounds that keep one interrupted sample from squeezing all others into a line: far beyond the central nine
/// tenths, dots are drawn at the edge and counted there.
std::vector<double> within_reach(std::vector<double> values) {
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  if (values.empty()) return values;
  std::ranges::sort(values);
  const auto at = [&](double p) {
    return values[static_cast<std::size_t>(p * static_cast<double>(values.size() - 1))];
  };
  const double reach = 3 * (at(0.95) - at(0.05));
  if (!(reach > 0)) return values;
  return {std::max(values.front(), at(0.05) - reach), std::min(values.back(), at(0.95) + reach)};
}

void draw_strip(Svg& svg, const CellResult& cell, const Strip& strip, const Scale& x, double y) {
  const VariantResult& variant = *strip.variant;
  const std::string role = role_of(cell, variant);
  const std::string name = visible(variant.name);
  svg.name(kLeft - 8, y, name, kNameColumns, "label", "end");
  const std::size_t stride = 1 + (strip.times.size() - 1) / kMostDots;
  Points points;
  int beyond = 0;
  for (std::size_t i = 0; i < strip.times.size(); ++i) {
    const double value = strip.on_axis(strip.times[i]);
    if (!std::isfinite(value)) continue;
    beyond += value < x.low || value > x.high;
    if (i % stride == 0) points.emplace_back(x.at(value), y + 9 * jitter(i));
  }
  std::string title = fmt::format("{}: {} samples", name, strip.times.size());
  if (stride > 1) title += fmt::format(", one of {} drawn", stride);
  svg.dots(points, role, title);
  if (beyond > 0) svg.text(kRight, y - 8, fmt::format("{} beyond", beyond), "muted", "end");
  if (!variant.time_ns || !std::isfinite(variant.time_ns->value)) return;
  const Estimate& time = *variant.time_ns;
  const std::string text = format_interval(time);
  const double low = strip.on_axis(time.low);
  const double high = strip.on_axis(time.high);
  if (std::isfinite(low) && std::isfinite(high)) {
    svg.rect(x.at(low) - 0.5, y - 13, x.at(high) - x.at(low) + 1, 26, "interval " + role, name + ": " + text);
  }
  const double middle = x.at(strip.on_axis(time.value));
  svg.line(middle, y - 14, middle, y + 14, "median");
  const bool believable = variant.validity == Validity::valid || variant.validity == Validity::unproven;
  svg.text(kRight + 10, y + 4, believable ? format_time(time) : std::string(name_of(variant.validity)),
           believable ? "value" : "muted", "start", text);
}

double middle_of(const Strip& strip) {
  const VariantResult& variant = *strip.variant;
  const double middle = variant.time_ns ? variant.time_ns->value : stats::median(strip.times);
  return std::isfinite(middle) ? middle : 0;
}

std::string tick_percent(double percent) { return percent == 0 ? "0%" : fmt::format("{:+.4g}%", percent); }

}  // namespace

std::string role_of(const CellResult& cell, const VariantResult& variant) {
  if (&variant == cell.baseline()) return "base";
  return variant.rung == Rung::anchor ? "anchor" : variant.rung == Rung::informational ? "info" : "step";
}

std::string tick_time(double ns) {
  static constexpr std::pair<double, const char*> kUnits[] = {
      {1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}};
  for (const auto& [scale, unit] : kUnits) {
    if (std::abs(ns) >= scale * (1 - 1e-9) || scale == 1) return fmt::format("{:.6g} {}", ns / scale, unit);
  }
  return "";
}

std::vector<int> discarded_rounds(const CellResult& cell) {
  std::vector<int> rounds;
  for (const RoundRecord& round : cell.rounds) {
    if (!round.discarded.empty()) rounds.push_back(round.round);
  }
  std::ranges::sort(rounds);
  return rounds;
}

std::string plot_times(const CellResult& cell) {
  const std::vector<int> discarded = discarded_rounds(cell);
  std::vector<Strip> strips;
  std::vector<double> all;
  for (const VariantResult& variant : cell.variants) {
    Strip strip{&variant, {}, 0};
    for (std::size_t i = 0; i < variant.samples.size(); ++i) {
      const bool out =
          i < variant.samples.round.size() && std::ranges::binary_search(discarded, variant.samples.round[i]);
      if (!out) strip.times.push_back(variant.samples.ns[i]);
    }
    if (strip.times.empty()) continue;
    all.insert(all.end(), strip.times.begin(), strip.times.end());
    strips.push_back(std::move(strip));
  }
  if (strips.empty()) return "";
  // Variants a factor apart share no linear axis, and on a logarithmic one each would be a line: their ratio
  // is the other plot's business, so this one shows how each scatters around its own median.
  const bool relative = wants_log(all);
  std::vector<double> values;
  for (Strip& strip : strips) {
    if (relative) strip.middle = middle_of(strip);
    for (const double ns : strip.times) values.push_back(strip.on_axis(ns));
  }
  const Scale x = scale_over(within_reach(std::move(values)), kLeft, kRight, false);
  const double bottom = 14 + kRow * static_cast<double>(strips.size());
  Svg svg(kWidth, bottom + 38, "Time per call of each variant: samples, median and interval");
  if (relative) {
    draw_axis(svg, x, 8, bottom, 6, tick_percent);
  } else {
    draw_axis(svg, x, 8, bottom, 6, tick_time);
  }
  double y = 14 + kRow / 2;
  for (const Strip& strip : strips) {
    draw_strip(svg, cell, strip, x, y);
    y += kRow;
  }
  svg.text((kLeft + kRight) / 2, bottom + 31,
           relative ? "time per call, relative to the variant's own median" : "time per call", "axis-name",
           "middle");
  return std::move(svg).finish();
}

}  // namespace aisp::report
