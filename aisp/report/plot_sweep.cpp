// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "aisp/report/format.h"
#include "aisp/report/lessons.h"
#include "aisp/report/svg.h"
#include "aisp/report/text.h"

namespace aisp::report {
namespace {

constexpr double kWidth = 760, kHeight = 380, kLeft = 64, kRight = 560, kTop = 44, kBottom = 324;
constexpr double kApart = 15;  ///< pixels between two labels
constexpr std::size_t kFewestSizes = 3;
constexpr std::size_t kColours = 8;

// A picture of its own: a page links it, so it brings its colours, for a light and a dark page.
constexpr std::string_view kStyle = R"css(<style>
svg{background:#fff;font:13px system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans","DejaVu Sans",sans-serif}
text{fill:#1b1f24}.tick,.axis-name{fill:#5b6470;font-size:12px}.title{font-size:15px;font-weight:650}
.axis{stroke:#5b6470}.grid{stroke:#e9ecf0}.unity{stroke:#5b6470;stroke-dasharray:5 4}
polyline{fill:none;stroke-width:2}.whisker{stroke-width:1.2}.lead{stroke:#8b949e;stroke-width:.7}
.s0{stroke:#0072b2}.s1{stroke:#c9611e}.s2{stroke:#00795c}.s3{stroke:#a4568a}.s4{stroke:#7a6a00}.s5{stroke:#3b7fb8}
.s6{stroke:#555}.s7{stroke:#b3202c}circle.s0,circle.s1,circle.s2,circle.s3,circle.s4,circle.s5,circle.s6,circle.s7{fill:#fff}
@media(prefers-color-scheme:dark){svg{background:#12161c}text{fill:#e4e8ee}.tick,.axis-name{fill:#9aa4b1}
.grid{stroke:#262d36}.axis,.unity{stroke:#9aa4b1}circle{fill:#12161c!important}.s0{stroke:#56b4e9}.s1{stroke:#f0934e}
.s2{stroke:#3fc39c}.s3{stroke:#d58fbd}.s4{stroke:#d3c24a}.s5{stroke:#8cc0ea}.s6{stroke:#b8b8b8}.s7{stroke:#ff7b7b}}
</style>
)css";

using Values = std::map<std::string, double>;

Values values_of(const std::string& parameters) {
  Values values;
  std::istringstream words(parameters);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) continue;
    char* end = nullptr;
    const double value = std::strtod(word.c_str() + equals + 1, &end);
    if (*end == '\0' && std::isfinite(value)) values[word.substr(0, equals)] = value;
  }
  return values;
}

/// The parameter with the most values.
std::string swept(const std::vector<const CellResult*>& cells) {
  std::map<std::string, std::set<double>> seen;
  for (const CellResult* cell : cells) {
    for (const auto& [name, value] : values_of(cell->parameters)) seen[name].insert(value);
  }
  std::string widest;
  std::size_t most = kFewestSizes - 1;
  for (const auto& [name, values] : seen) {
    if (values.size() > most) {
      widest = name;
      most = values.size();
    }
  }
  return widest;
}

struct Point {
  double size = 0;
  const RatioEstimate* ratio = nullptr;
};

/// A rung at one setting of the other parameters.
struct SweepLine {
  std::string name;
  std::vector<Point> points;
};

std::vector<SweepLine> sweep_lines(const std::vector<const CellResult*>& cells, const std::string& axis) {
  std::vector<SweepLine> lines;
  for (const CellResult* cell : cells) {
    Values others = values_of(cell->parameters);
    const auto at = others.find(axis);
    if (at == others.end()) continue;
    const double size = at->second;
    others.erase(at);
    for (const VariantResult& variant : cell->variants) {
      if (variant.validity != Validity::valid || &variant == cell->baseline()) continue;
      if (!variant.speedup || !(variant.speedup->ratio > 0) || !std::isfinite(variant.speedup->ratio))
        continue;
      std::string name = visible(variant.name);
      for (const auto& [key, value] : others) name += fmt::format(" {}={:g}", visible(key), value);
      auto line = std::ranges::find(lines, name, &SweepLine::name);
      if (line == lines.end()) line = lines.insert(lines.end(), SweepLine{name, {}});
      line->points.push_back({size, &*variant.speedup});
    }
  }
  std::erase_if(lines, [](const SweepLine& line) { return line.points.size() < kFewestSizes; });
  for (SweepLine& line : lines) std::ranges::sort(line.points, {}, &Point::size);
  // A parameter that never changes says nothing; where it is the same for all, the name of the rung is
  // enough.
  std::set<std::string> tails;
  const auto tail_of = [](const std::string& name) {
    const std::size_t space = name.find(' ');
    return space == std::string::npos ? std::string() : name.substr(space);
  };
  for (const SweepLine& line : lines) tails.insert(tail_of(line.name));
  if (tails.size() == 1) {
    for (SweepLine& line : lines) line.name.resize(line.name.size() - tail_of(line.name).size());
  }
  return lines;
}

void draw_sweep_line(Svg& svg, const SweepLine& line, const std::string& css, const Scale& x,
                     const Scale& y) {
  Points path;
  for (const Point& point : line.points) path.emplace_back(x.at(point.size), y.at(point.ratio->ratio));
  svg.polyline(path, css, line.name);
  for (const Point& point : line.points) {
    const RatioEstimate& r = *point.ratio;
    svg.line(x.at(point.size), y.at(std::isfinite(r.low) ? r.low : y.low), x.at(point.size),
             y.at(std::isfinite(r.high) ? r.high : y.high), "whisker " + css);
    svg.circle(x.at(point.size), y.at(r.ratio), 3.2, css,
               fmt::format("{} at {:g}: {}", line.name, point.size, format_ratio(r)));
  }
}

/// Names at the right end of their lines, moved apart.
void draw_names(Svg& svg, const std::vector<SweepLine>& lines, const Scale& x, const Scale& y) {
  std::vector<std::pair<double, std::size_t>> places;
  for (std::size_t i = 0; i < lines.size(); ++i)
    places.emplace_back(y.at(lines[i].points.back().ratio->ratio), i);
  std::ranges::sort(places);
  double last = -kApart;
  for (const auto& [at, index] : places) {
    const SweepLine& line = lines[index];
    const double label = std::max(at, last + kApart);
    last = label;
    svg.line(x.at(line.points.back().size) + 5, at, kRight + 12, label, "lead");
    svg.text(kRight + 16, label + 4,
             fmt::format("{} {}", shorten(line.name, 18), format_ratio(line.points.back().ratio->ratio)),
             "label", "start", line.name);
  }
}

std::string size_text(double size) {
  for (const auto& [unit, name] : {std::pair{1073741824.0, "Gi"}, {1048576.0, "Mi"}, {1024.0, "Ki"}}) {
    if (size >= unit && std::fmod(size, unit) == 0) return fmt::format("{:g} {}", size / unit, name);
  }
  return fmt::format("{:g}", size);
}

}  // namespace

std::string plot_sweep(const std::vector<const CellResult*>& cells) {
  const std::string axis = swept(cells);
  if (axis.empty()) return "";
  const std::vector<SweepLine> lines = sweep_lines(cells, axis);
  if (lines.empty()) return "";
  std::vector<double> sizes, ratios{1};
  for (const SweepLine& line : lines) {
    for (const Point& point : line.points) {
      sizes.push_back(point.size);
      ratios.insert(ratios.end(), {point.ratio->low, point.ratio->ratio, point.ratio->high});
    }
  }
  const Scale x = scale_over(sizes, kLeft, kRight, wants_log(sizes));
  const Scale y = scale_over(ratios, kBottom, kTop, wants_log(ratios));
  Svg svg(kWidth, kHeight, "Times better than the baseline against " + visible(axis));
  svg.text(kLeft, 22, visible(cells.front()->workload) + ": times better than the baseline", "title");
  svg.line(kLeft, kBottom, kRight, kBottom, "axis");
  std::ranges::sort(sizes);
  double free_from = 0;
  for (const double size : sizes) {
    const std::string text = size_text(size);
    if (x.at(size) - text_width(text) / 2 < free_from) continue;
    svg.line(x.at(size), kTop, x.at(size), kBottom, "grid");
    svg.text(x.at(size), kBottom + 16, text, "tick", "middle");
    free_from = x.at(size) + text_width(text) / 2 + 8;
  }
  for (const double tick : ticks(y, 6)) {
    svg.line(kLeft, y.at(tick), kRight, y.at(tick), "grid");
    svg.text(kLeft - 8, y.at(tick) + 4, fmt::format("{:g}x", tick), "tick", "end");
  }
  svg.line(kLeft, y.at(1), kRight, y.at(1), "unity");
  for (std::size_t i = 0; i < lines.size(); ++i)
    draw_sweep_line(svg, lines[i], "s" + std::to_string(i % kColours), x, y);
  draw_names(svg, lines, x, y);
  svg.text((kLeft + kRight) / 2, kBottom + 40, visible(axis), "axis-name", "middle");
  std::string text = std::move(svg).finish();
  text.insert(text.find('\n') + 1, kStyle);
  return text;
}

}  // namespace aisp::report
