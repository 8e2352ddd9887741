// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/roofline.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "aisp/report/format.h"
#include "aisp/report/svg.h"
#include "aisp/report/text.h"

namespace aisp::report {
namespace {

constexpr double kWidth = 960, kHeight = 560, kLeft = 92, kRight = 760, kTop = 58, kBottom = 500;
constexpr double kBelow =
    24;  ///< how far the picture goes on the slope's side of the first ridge, as a factor
constexpr double kBeyond = 16;     ///< and on the level side of the last
constexpr double kLabelled = 1.6;  ///< where a slope has its label, as a factor from its beginning
constexpr double kApart = 15;      ///< pixels between two labels

constexpr std::string_view kStyle = R"css(<style>
svg{background:#fff;font:13px system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans","DejaVu Sans",sans-serif}
text{fill:#1b1f24}.tick,.axis-name{fill:#5b6470;font-size:12px}.title{font-size:16px;font-weight:650}
.axis{stroke:#5b6470}.grid{stroke:#e9ecf0}
.slope{stroke:#0072b2;stroke-width:2}.level{stroke:#c9611e;stroke-width:2}
.of-slope{fill:#00629b}.of-level{fill:#9a4310}
.of-slope,.of-level{paint-order:stroke;stroke:#fff;stroke-width:4px}.lead{stroke:#c9611e;stroke-width:.6}
</style>
)css";

struct Roof {
  std::string name;  ///< "L2", "matmul bf16"
  double rate = 0;   ///< bytes or operations a second
};

/// The best of each name, over probes and numbers of threads; the highest first.
std::vector<Roof> sorted(const std::map<std::string, double>& best) {
  std::vector<Roof> roofs;
  for (const auto& [name, rate] : best) roofs.push_back({name, rate});
  std::ranges::sort(roofs, std::ranges::greater{}, &Roof::rate);
  return roofs;
}

/// Reading, since most bytes of most work are read.
std::vector<Roof> slopes_of(const Ceilings& ceilings) {
  std::map<std::string, double> best;
  for (const Ceiling& c : ceilings.entries) {
    const bool between = c.level.find('+') != std::string::npos;  // data that lie in two levels
    if (c.name == "read" && !between && c.value > 0) best[c.level] = std::max(best[c.level], c.value);
  }
  return sorted(best);
}

std::vector<Roof> levels_of(const Ceilings& ceilings) {
  std::map<std::string, double> best;
  for (const Ceiling& c : ceilings.entries) {
    if ((c.name != "fma" && c.name != "matmul") || !(c.value > 0)) continue;
    double& rate = best[(c.name == "fma" ? "" : "matrix ") + c.level];
    rate = std::max(rate, c.value);
  }
  return sorted(best);
}

/// Labels one below the other where their places would overlap; `at` descends the page.
class Column {
 public:
  double place(double at) { return last_ = std::max(at, last_ + kApart); }

 private:
  double last_ = 0;
};

void draw_slopes(Svg& svg, const std::vector<Roof>& slopes, double top_rate, const Scale& x, const Scale& y) {
  const auto first = [&](const Roof& roof) { return std::max(x.low, y.low / roof.rate); };
  for (const Roof& roof : slopes) {
    const double last = std::min(x.high, top_rate / roof.rate);
    svg.line(x.at(first(roof)), y.at(first(roof) * roof.rate), x.at(last), y.at(last * roof.rate), "slope");
  }
  for (const Roof& roof : slopes) {  // over all lines; below its own, where that has climbed past it
    const double at = first(roof) * kLabelled;
    svg.text(x.at(at), y.at(at * roof.rate) + 20, visible(roof.name) + " " + format_rate(roof.rate, "B"),
             "of-slope");
  }
}

void draw_levels(Svg& svg, const std::vector<Roof>& levels, double top_slope, const Scale& x,
                 const Scale& y) {
  Column labels;
  for (const Roof& roof : levels) {
    svg.line(x.at(roof.rate / top_slope), y.at(roof.rate), x.to, y.at(roof.rate), "level");
    const double label = labels.place(y.at(roof.rate));
    svg.line(x.to, y.at(roof.rate), x.to + 14, label, "lead");
    svg.text(x.to + 18, label + 4, visible(roof.name) + " " + format_rate(roof.rate, "OP"), "of-level");
  }
}

}  // namespace

Result<std::string> draw_roofline(const Ceilings& ceilings) {
  const std::vector<Roof> slopes = slopes_of(ceilings), levels = levels_of(ceilings);
  if (slopes.empty() || levels.empty())
    return Error{ErrorCode::bad_input,
                 "a roofline needs a bandwidth and a rate of arithmetic, and one is unknown",
                 "`aisp peak` measures both"};
  const Scale x{levels.back().rate / slopes.front().rate / kBelow,
                levels.front().rate / slopes.back().rate * kBeyond, kLeft, kRight, true};
  const double top = levels.front().rate * 2, bottom = slopes.back().rate * x.low / 2;
  const Scale y{bottom, top, kBottom, kTop, true};
  Svg svg(kWidth, kHeight, "Roofline of " + visible(ceilings.hardware));
  svg.text(kLeft, 26, visible(ceilings.hardware), "title");
  svg.text(kLeft, 44,
           "measured " + visible(ceilings.date.substr(0, 10)) + "; slopes: reading, level: arithmetic",
           "axis-name");
  draw_axis(svg, x, kTop, kBottom, 8, [](double each) { return fmt::format("{:g}", each); });
  svg.line(kLeft, kTop, kLeft, kBottom, "axis");
  for (const double tick : ticks(y, 6)) {
    svg.line(kLeft, y.at(tick), kRight, y.at(tick), "grid");
    svg.text(kLeft - 6, y.at(tick) + 4, format_rate(tick, "OP"), "tick", "end");
  }
  draw_slopes(svg, slopes, levels.front().rate, x, y);
  draw_levels(svg, levels, slopes.front().rate, x, y);
  svg.text((kLeft + kRight) / 2, kBottom + 38, "operations for each byte moved", "axis-name", "middle");
  std::string picture = std::move(svg).finish();
  picture.insert(picture.find('\n') + 1, kStyle);
  return picture;
}

}  // namespace aisp::report
