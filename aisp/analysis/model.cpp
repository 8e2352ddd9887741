// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/model.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace aisp::analysis {
namespace {

struct Line {
  double a = 0, b = 0;
};

/// Least squares of v against u, each pair with its weight.
std::optional<Line> line_through(std::span<const double> u, std::span<const double> v,
                                 std::span<const double> weight) {
  double sum = 0, mean_u = 0, mean_v = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    sum += weight[i];
    mean_u += weight[i] * u[i];
    mean_v += weight[i] * v[i];
  }
  mean_u /= sum;
  mean_v /= sum;
  double uu = 0, uv = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    uu += weight[i] * (u[i] - mean_u) * (u[i] - mean_u);
    uv += weight[i] * (u[i] - mean_u) * (v[i] - mean_v);
  }
  if (!(uu > 0)) return std::nullopt;
  const double slope = uv / uu;
  return Line{mean_v - slope * mean_u, slope};
}

struct Form {
  const char* name;
  std::optional<Line> (*fit)(std::span<const ModelPoint>);
  double (*at)(const Line&, double x);
};

std::optional<Line> fit_power(std::span<const ModelPoint> points) {
  std::vector<double> u, v;
  for (const ModelPoint& point : points) {
    u.push_back(std::log(point.x));
    v.push_back(std::log(point.y));
  }
  const std::vector<double> even(points.size(), 1.0);
  auto line = line_through(u, v, even);
  if (line) line->a = std::exp(line->a);
  return line;
}

/// Relative errors weigh alike: a microsecond matters at the small sizes and not at the large ones.
std::optional<Line> fit_affine(std::span<const ModelPoint> points) {
  std::vector<double> u, v, weight;
  for (const ModelPoint& point : points) {
    u.push_back(point.x);
    v.push_back(point.y);
    weight.push_back(1 / (point.y * point.y));
  }
  return line_through(u, v, weight);
}

constexpr Form kForms[] = {
    {"a x^b", fit_power, [](const Line& line, double x) { return line.a * std::pow(x, line.b); }},
    {"a + b x", fit_affine, [](const Line& line, double x) { return line.a + line.b * x; }},
};

/// The worst ratio between a size and what the others say about it; infinite where they say nonsense.
double left_out_factor(const Form& form, std::span<const ModelPoint> points) {
  double worst = 1;
  for (std::size_t out = 0; out < points.size(); ++out) {
    std::vector<ModelPoint> others(points.begin(), points.end());
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(out));
    const auto line = form.fit(others);
    const double said = line ? form.at(*line, points[out].x) : 0;
    if (!(said > 0)) return HUGE_VAL;
    worst = std::max({worst, said / points[out].y, points[out].y / said});
  }
  return worst;
}

}  // namespace

Model fit(std::span<const ModelPoint> points) {
  Model model;
  std::set<double> sizes;
  for (const ModelPoint& point : points) {
    if (!(point.x > 0) || !(point.y > 0)) {
      model.needs = "sizes and values above zero";
      return model;
    }
    sizes.insert(point.x);
  }
  model.sizes = static_cast<int>(sizes.size());
  if (sizes.size() < kFewestSizes) {
    model.needs = std::to_string(kFewestSizes) + " measured sizes; there " +
                  (sizes.size() == 1 ? "is 1" : "are " + std::to_string(sizes.size()));
    return model;
  }
  model.low = *sizes.begin();
  model.high = *sizes.rbegin();
  model.factor = HUGE_VAL;
  for (const Form& form : kForms) {
    const double factor = left_out_factor(form, points);
    const auto line = form.fit(points);
    if (!line || !(factor < model.factor)) continue;
    model.form = form.name;
    model.a = line->a;
    model.b = line->b;
    model.factor = factor;
  }
  if (!(model.factor <= kWorstFactor)) {
    model.form.clear();
    model.needs = "sizes that follow a curve: neither a power nor an overhead and a slope does";
  }
  return model;
}

Forecast Model::at(double x) const {
  if (!needs.empty()) return {.needs = needs};
  const auto whole = [](double size) { return std::to_string(static_cast<long long>(std::llround(size))); };
  if (x < low) return {.needs = "a measured size of at most " + whole(x)};
  if (x > high) return {.needs = "a measured size of at least " + whole(x)};
  for (const Form& known : kForms) {
    if (form != known.name) continue;
    const double y = known.at(Line{a, b}, x);
    if (y > 0) return {.value = Estimate{y, y / factor, y * factor}};
  }
  return {.needs = "sizes that follow a curve"};
}

}  // namespace aisp::analysis
