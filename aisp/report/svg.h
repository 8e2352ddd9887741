// SPDX-License-Identifier: Apache-2.0
/// \file
/// The few drawing functions the report's plots need: a scale, ticks at round numbers, and an SVG under
/// construction. Colours are CSS classes, so that light, dark and print share one drawing.
///
///   Svg svg(520, 120, "Time per call by variant");
///   const Scale x = scale_over(times, 130, 420, true);
///   for (const double tick : ticks(x, 5)) svg.text(x.at(tick), 110, format_time(tick), "tick", "middle");
///   page += svg.finish();
///
/// Not a plotting library: no layout, no legends. All text is escaped here; class names must be literals.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aisp::report {

/// Foreign text made visible (text.h) and safe in HTML, XML and attribute values.
std::string escape_markup(std::string_view text);

/// Maps values to coordinates. A logarithmic scale clamps what is not positive to its lower end.
struct Scale {
  double low = 0, high = 1;
  double from = 0, to = 1;
  bool log = false;
  double at(double value) const;  ///< always finite and inside [from, to]
};

/// Covers the finite values with a small margin; positive ones only if `log`. With nothing to cover: 0 to 1
/// (1 to 10).
Scale scale_over(std::span<const double> values, double from, double to, bool log);

/// True where the values span more than a factor of 8: beyond that a linear axis hides the small ones.
bool wants_log(std::span<const double> values);

/// About `wanted` round numbers (1, 2, 5 times a power of ten) inside the scale, ascending.
std::vector<double> ticks(const Scale& scale, int wanted);

using Points = std::vector<std::pair<double, double>>;

class Svg {
 public:
  /// `label` is what a screen reader says.
  Svg(double width, double height, std::string_view label);
  void line(double x1, double y1, double x2, double y2, std::string_view css);
  void rect(double x, double y, double width, double height, std::string_view css,
            std::string_view title = "");
  void circle(double x, double y, double radius, std::string_view css, std::string_view title = "");
  /// `anchor` is "start", "middle" or "end". `title` is shown on hover.
  void text(double x, double y, std::string_view content, std::string_view css,
            std::string_view anchor = "start", std::string_view title = "");
  /// The name of a row around `middle`: on two lines where `columns` are too few for one, then cut. In whole
  /// on hover.
  void name(double x, double middle, std::string_view content, int columns, std::string_view css,
            std::string_view anchor);
  /// Many small dots as one path: a tenth of the size of as many circles.
  void dots(const Points& points, std::string_view css, std::string_view title = "");
  void polyline(const Points& points, std::string_view css, std::string_view title = "");
  std::string finish() &&;

 private:
  std::string body_;
};

/// An axis along the bottom: rule, grid lines up to `top`, and labels that do not overlap.
template <class Label>
void draw_axis(Svg& svg, const Scale& x, double top, double bottom, int wanted, Label label);

/// Pixels a label of this length needs, near enough to keep two apart.
double text_width(std::string_view text);

template <class Label>
void draw_axis(Svg& svg, const Scale& x, double top, double bottom, int wanted, Label label) {
  svg.line(x.from, bottom, x.to, bottom, "axis");
  double free_from = x.from - 30;
  for (const double tick : ticks(x, wanted)) {
    const std::string text = label(tick);
    const double at = x.at(tick);
    svg.line(at, top, at, bottom, "grid");
    if (at - text_width(text) / 2 < free_from) continue;
    svg.text(at, bottom + 14, text, "tick", "middle");
    free_from = at + text_width(text) / 2 + 8;
  }
}

}  // namespace aisp::report
