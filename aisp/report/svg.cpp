// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/svg.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "aisp/report/text.h"

namespace aisp::report {
namespace {

constexpr double kLargest = 1e100;
constexpr double kMargin = 0.04;     // of the range, at both ends
constexpr double kLogFactor = 8;     // see wants_log()
constexpr double kGlyphWidth = 6.2;  // of the 11 px text the style sheet sets, digits and lower case
constexpr double kBaseline = 4, kLineHeight = 13;  // of a row's name: below its middle, and apart

/// A tenth of a pixel, without a trailing ".0".
std::string n(double value) {
  if (!std::isfinite(value)) return "0";
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

std::string titled(std::string_view element, std::string_view title) {
  if (title.empty()) return "/>";
  return fmt::format("><title>{}</title></{}>", escape_markup(title), element);
}

double nice_step(double range, int wanted) {
  const double rough = range / std::max(1, wanted);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) return factor * power;
  }
  return 10 * power;
}

std::vector<double> linear_ticks(double low, double high, int wanted) {
  std::vector<double> found;
  // Nothing between neighbouring doubles can be a tick.
  if (!(high - low > std::abs(high) * 1e-12)) return found;
  const double step = nice_step(high - low, wanted);
  // Counted in steps, because adding 0.1 ten times is not 1.
  const double first = std::ceil(low / step - 1e-9);
  for (int i = 0; i <= 4 * wanted + 4 && (first + i) * step <= high + step * 1e-9; ++i) {
    found.push_back((first + i) * step);
  }
  return found;
}

}  // namespace

std::string escape_markup(std::string_view text) {
  std::string out;
  for (const char c : visible(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

double Scale::at(double value) const {
  if (std::isnan(value)) return from;
  const double v = std::clamp(value, low, high);
  const double part = log ? std::log(v / low) / std::log(high / low) : (v - low) / (high - low);
  return from + std::clamp(part, 0.0, 1.0) * (to - from);
}

Scale scale_over(std::span<const double> values, double from, double to, bool log) {
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  for (const double value : values) {
    // Beyond this the margin, or a power of ten, would overflow; no time or ratio is there.
    if (!(std::abs(value) <= kLargest) || (log && !(value >= 1 / kLargest))) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (low > high) return {log ? 1.0 : 0.0, log ? 10.0 : 1.0, from, to, log};
  if (high - low <= std::abs(high) * 1e-9) {
    const double half = high == 0 ? 1 : std::abs(high) * 0.05;
    return {low - half, high + half, from, to, log};
  }
  if (log) {
    const double factor = std::pow(high / low, kMargin);
    return {low / factor, high * factor, from, to, true};
  }
  const double margin = (high - low) * kMargin;
  return {low >= 0 ? std::max(0.0, low - margin) : low - margin, high + margin, from, to, false};
}

bool wants_log(std::span<const double> values) {
  const Scale covered = scale_over(values, 0, 1, true);
  return covered.high / covered.low > kLogFactor;
}

std::vector<double> ticks(const Scale& scale, int wanted) {
  if (!(std::abs(scale.low) <= 10 * kLargest && std::abs(scale.high) <= 10 * kLargest)) return {};
  if (!scale.log || scale.high / scale.low < 5) return linear_ticks(scale.low, scale.high, wanted);
  const double decades = std::log10(scale.high / scale.low);
  const bool fine = decades * 3 <= wanted * 1.5;
  std::vector<double> found;
  for (int p = static_cast<int>(std::floor(std::log10(scale.low))); p <= std::log10(scale.high); ++p) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(10.0, p);
      if ((fine || factor == 1) && value >= scale.low && value <= scale.high) found.push_back(value);
    }
  }
  return found;
}

double text_width(std::string_view text) { return kGlyphWidth * display_width(text); }

Svg::Svg(double width, double height, std::string_view label) {
  body_ = fmt::format(
      "<svg viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" role=\"img\" aria-label=\"{}\" "
      "xmlns=\"http://www.w3.org/2000/svg\">\n",
      n(width), n(height), n(width), n(height), escape_markup(label));
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view css) {
  body_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\"/>\n", n(x1), n(y1), n(x2),
                       n(y2), css);
}

void Svg::rect(double x, double y, double width, double height, std::string_view css,
               std::string_view title) {
  body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"{}\"{}\n", n(x), n(y),
                       n(std::max(0.0, width)), n(std::max(0.0, height)), css, titled("rect", title));
}

void Svg::circle(double x, double y, double radius, std::string_view css, std::string_view title) {
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" class=\"{}\"{}\n", n(x), n(y), n(radius), css,
                       titled("circle", title));
}

void Svg::text(double x, double y, std::string_view content, std::string_view css, std::string_view anchor,
               std::string_view title) {
  const std::string hover = title.empty() ? "" : fmt::format("<title>{}</title>", escape_markup(title));
  body_ += fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\" text-anchor=\"{}\">{}{}</text>\n", n(x), n(y),
                       css, anchor, hover, escape_markup(content));
}

void Svg::name(double x, double middle, std::string_view content, int columns, std::string_view css,
               std::string_view anchor) {
  std::vector<std::string> lines = wrap(content, columns);
  if (lines.size() > 2) {
    const std::string rest = lines[1] + lines[2];
    lines = {lines[0], shorten(rest, columns)};
  }
  double y = middle + kBaseline - kLineHeight * (static_cast<double>(lines.size()) - 1) / 2;
  for (const std::string& line : lines) {
    text(x, y, line, css, anchor, content);
    y += kLineHeight;
  }
}

void Svg::dots(const Points& points, std::string_view css, std::string_view title) {
  if (points.empty()) return;
  std::string path;
  for (const auto& [x, y] : points) path += fmt::format("M{} {}h0", n(x), n(y));
  body_ += fmt::format("<path d=\"{}\" class=\"dots {}\"{}\n", path, css, titled("path", title));
}

void Svg::polyline(const Points& points, std::string_view css, std::string_view title) {
  if (points.empty()) return;
  std::string list;
  for (const auto& [x, y] : points) list += (list.empty() ? "" : " ") + n(x) + "," + n(y);
  body_ += fmt::format("<polyline points=\"{}\" class=\"{}\"{}\n", list, css, titled("polyline", title));
}

std::string Svg::finish() && { return std::move(body_) + "</svg>\n"; }

}  // namespace aisp::report
