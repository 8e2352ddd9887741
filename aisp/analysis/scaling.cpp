// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/scaling.h"

#include <algorithm>
#include <cmath>

#include "aisp/stats/distributions.h"

namespace aisp::analysis {
namespace {

constexpr double kAlpha = 0.05;

struct Fit {
  double slope = 0, residual = 0, spread = 0;  ///< squares left over; squares of u about its mean
  double later = 0;                            ///< what the slope gains beyond the knee
};

/// v = a + b u by least squares.
Fit straight(const std::vector<double>& u, const std::vector<double>& v) {
  const auto n = static_cast<double>(u.size());
  double mean_u = 0, mean_v = 0;
  for (std::size_t i = 0; i < u.size(); ++i) mean_u += u[i] / n, mean_v += v[i] / n;
  double uu = 0, uv = 0, vv = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    uu += (u[i] - mean_u) * (u[i] - mean_u);
    uv += (u[i] - mean_u) * (v[i] - mean_v);
    vv += (v[i] - mean_v) * (v[i] - mean_v);
  }
  return {.slope = uv / uu, .residual = std::max(0.0, vv - uv * uv / uu), .spread = uu};
}

/// Of the logarithm of a time, to the wider side; infinite where there is no interval.
double half_width(const Estimate& time) {
  if (!(time.low > 0) || !std::isfinite(time.high)) return HUGE_VAL;
  return std::log(std::max(time.high / time.value, time.value / time.low));
}

/// Of the slope, from the points' own intervals: it is a sum of them with the weights (u - mean) / spread.
double own_half(const std::vector<double>& u, double spread, const std::vector<TimeAt>& points) {
  double mean = 0, squares = 0;
  for (const double each : u) mean += each / static_cast<double>(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double part = (u[i] - mean) / spread * half_width(points[i].time_ns);
    squares += part * part;
  }
  return std::sqrt(squares);
}

/// What lies off the line, by Student, and what each point may be off by itself. Few points can lie on a line
/// by chance, so neither stands for the other.
Estimate exponent_of(const std::vector<double>& u, const std::vector<double>& v,
                     const std::vector<TimeAt>& points) {
  const Fit fit = straight(u, v);
  const int freedom = static_cast<int>(u.size()) - 2;
  const double off_line =
      stats::student_critical(kAlpha, freedom) * std::sqrt(fit.residual / freedom / fit.spread);
  const double half = std::hypot(off_line, own_half(u, fit.spread, points));
  return {fit.slope, fit.slope - half, fit.slope + half};
}

/// v = a + b u + c max(0, u - knee): two straight parts that meet. Solved by removing u, and the constant,
/// from both v and the third column; what is left is one more straight line.
Fit bent(const std::vector<double>& u, const std::vector<double>& v, double knee) {
  std::vector<double> beyond;
  for (const double each : u) beyond.push_back(std::max(0.0, each - knee));
  const Fit of_v = straight(u, v), of_beyond = straight(u, beyond);
  const auto residuals = [&](const std::vector<double>& y, double slope) {
    double mean_u = 0, mean_y = 0;
    for (std::size_t i = 0; i < u.size(); ++i) mean_u += u[i], mean_y += y[i];
    std::vector<double> left;
    const auto n = static_cast<double>(u.size());
    for (std::size_t i = 0; i < u.size(); ++i)
      left.push_back(y[i] - mean_y / n - slope * (u[i] - mean_u / n));
    return left;
  };
  const auto left_v = residuals(v, of_v.slope), left_b = residuals(beyond, of_beyond.slope);
  double bb = 0, bv = 0;
  for (std::size_t i = 0; i < u.size(); ++i) bb += left_b[i] * left_b[i], bv += left_b[i] * left_v[i];
  if (!(bb > 0)) return of_v;
  const double c = bv / bb;
  Fit fit{.slope = of_v.slope - c * of_beyond.slope, .spread = of_v.spread, .later = c};
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double left = left_v[i] - c * left_b[i];
    fit.residual += left * left;
  }
  return fit;
}

/// The bend that explains most, where it explains more than chance would in as many tries.
std::optional<Knee> find_knee(const std::vector<double>& u, const std::vector<double>& v,
                              const std::vector<TimeAt>& points) {
  if (points.size() < kSizesForKnee) return std::nullopt;
  const double line = straight(u, v).residual;
  std::size_t best = 0;
  Fit fit{.residual = HUGE_VAL};
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const Fit tried = bent(u, v, u[i]);
    if (tried.residual < fit.residual) best = i, fit = tried;
  }
  const int freedom = static_cast<int>(points.size()) - 3;
  const double tries = static_cast<double>(points.size()) - 2;
  // Below a millionth of a percent the times agree better than any clock: nothing is left to explain.
  constexpr double kNothing = 1e-16;
  if (!(line - fit.residual > kNothing) || std::fabs(fit.later) < kSameExponent) return std::nullopt;
  const double t = std::sqrt((line - fit.residual) / (std::max(fit.residual, kNothing) / freedom));
  const double p = std::min(1.0, tries * stats::student_two_sided(t, freedom));
  if (!(p <= kAlpha)) return std::nullopt;
  return Knee{points[best].at, fit.slope, fit.slope + fit.later, 1 - p};
}

}  // namespace

bool is_team(const std::string& axis) { return axis == "threads" || axis == "ranks"; }

std::vector<SizeScaling> size_scaling(std::span<const Figure> figures) {
  std::vector<SizeScaling> all;
  for (const Sweep& sweep : sweeps(figures)) {
    if (is_team(sweep.axis) || sweep.points.front().at <= 0) continue;
    SizeScaling scaling{.where = sweep.where, .variant = sweep.variant, .axis = sweep.axis};
    std::vector<double> u, v;
    for (const SweepPoint& point : sweep.points) {
      scaling.points.push_back({point.at, *point.figure->time_ns});
      u.push_back(std::log(static_cast<double>(point.at)));
      v.push_back(std::log(point.figure->time_ns->value));
    }
    if (u.size() < kSizesForExponent) {
      scaling.needs = "three measured sizes";
    } else if (!std::ranges::all_of(scaling.points, [](const TimeAt& each) {
                 return std::isfinite(half_width(each.time_ns));
               })) {
      scaling.needs = "times with intervals";
    } else {
      scaling.exponent = exponent_of(u, v, scaling.points);
      scaling.knee = find_knee(u, v, scaling.points);
      if (u.size() < kSizesForKnee) scaling.needs = "five measured sizes for a knee";
    }
    all.push_back(std::move(scaling));
  }
  return all;
}

}  // namespace aisp::analysis
