// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/sweep_forecast.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "aisp/analysis/point.h"
#include "aisp/analysis/whatif.h"
#include "aisp/core/combinations.h"

namespace aisp::analysis {
namespace {

using Size = std::vector<std::pair<std::string, std::int64_t>>;

/// The sweep goes through the size asked for: it has every parameter but the one it varies.
bool goes_through(const Sweep& sweep, const Size& size) {
  return std::ranges::all_of(size, [&](const auto& asked) {
    return asked.first == sweep.axis || parameter(sweep.where.parameters, asked.first) == asked.second;
  });
}

std::string parameters_at(const Sweep& sweep, std::int64_t value) {
  Size parameters = parameters_of(sweep.points.front().figure->parameters);
  for (auto& [name, each] : parameters)
    if (name == sweep.axis) each = value;
  return text_of(parameters);
}

/// Widened by the widest interval of what it was made of: a model knows its points no better than they are.
Forecast time_at(const Sweep& sweep, double x, Model& model) {
  std::vector<ModelPoint> points;
  double spread = 1;
  for (const SweepPoint& point : sweep.points) {
    const auto time = latency_of(*point.figure);
    if (!time || !(time->low > 0)) return {.needs = "a time at every size"};
    points.push_back({static_cast<double>(point.at), time->value});
    spread = std::max({spread, time->high / time->value, time->value / time->low});
  }
  model = fit(points);
  Forecast forecast = model.at(x);
  if (forecast.value) {
    forecast.value->low /= spread;
    forecast.value->high *= spread;
  }
  return forecast;
}

std::optional<Estimate> memory_at(const Sweep& sweep, double x) {
  std::vector<ModelPoint> points;
  for (const SweepPoint& each : sweep.points) {
    const auto bytes = footprint(*each.figure);
    if (!bytes) return std::nullopt;
    points.push_back({static_cast<double>(each.at), *bytes});
  }
  const double first = points.front().y;
  const bool constant = std::ranges::all_of(points, [&](const ModelPoint& p) { return p.y == first; });
  const bool inside = x >= points.front().x && x <= points.back().x;
  if (constant && inside) return point(first);
  return fit(points).at(x).value;
}

/// How far apart the ends of a forecast are; infinitely where there is none.
double width(const Forecast& forecast) {
  return forecast.value && forecast.value->low > 0 ? forecast.value->high / forecast.value->low : HUGE_VAL;
}

}  // namespace

std::vector<SizeForecast> forecasts(std::span<const Figure> figures, const Size& size) {
  // Sweeps along two parameters may cross at the size asked for: one line for each variant, the better known.
  std::map<std::pair<Where, std::string>, SizeForecast> found;
  for (const auto& [axis, value] : size) {
    for (const Sweep& sweep : sweeps(figures, axis)) {
      const Rung rung = sweep.points.front().figure->rung;
      if (!goes_through(sweep, size) || rung == Rung::informational || is_combination(sweep.variant))
        continue;
      SizeForecast forecast{.where = sweep.where, .variant = sweep.variant, .anchor = rung == Rung::anchor};
      forecast.where.parameters = parameters_at(sweep, value);
      forecast.time = time_at(sweep, static_cast<double>(value), forecast.model);
      forecast.memory_bytes = memory_at(sweep, static_cast<double>(value));
      const auto [known, added] = found.try_emplace({forecast.where, forecast.variant}, forecast);
      if (!added && width(forecast.time) < width(known->second.time)) known->second = std::move(forecast);
    }
  }
  std::vector<SizeForecast> all;
  all.reserve(found.size());
  for (auto& [key, forecast] : found) all.push_back(std::move(forecast));
  return all;
}

std::optional<Estimate> latency_of(const Figure& figure) {
  return figure.goal == Goal::latency && figure.figure ? figure.figure : figure.time_ns;
}

}  // namespace aisp::analysis
