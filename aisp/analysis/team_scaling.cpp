// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/team_scaling.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "aisp/analysis/scaling.h"

namespace aisp::analysis {
namespace {

double work_of(const Figure& figure) {
  return figure.items > 0 ? figure.items : figure.flops > 0 ? figure.flops : figure.bytes;
}

/// The serial share that explains a speed-up of a team of p: 1/S = s + (1 - s)/p, and S = p - s (p - 1).
double amdahl_share(double speedup, double p) { return (1 / speedup - 1 / p) / (1 - 1 / p); }
double gustafson_share(double speedup, double p) { return (p - speedup) / (p - 1); }

/// Points and shares over the smallest team, which must be of one.
void read(TeamScaling& scaling, const std::vector<SweepPoint>& points) {
  const bool grows = scaling.law == "Gustafson";
  const Figure& one = *points.front().figure;
  if (points.front().at != 1) {
    scaling.needs = "a measurement with " + scaling.axis + "=1";
    return;
  }
  std::vector<double> shares, lows, highs;
  for (const SweepPoint& point : points) {
    const Estimate time = *point.figure->time_ns, alone = *one.time_ns;
    const double growth = grows ? work_of(*point.figure) / work_of(one) : 1;
    const Estimate speedup{growth * alone.value / time.value, growth * alone.low / time.high,
                           growth * alone.high / time.low};
    const auto p = static_cast<double>(point.at);
    scaling.points.push_back({point.at, time, speedup, speedup.value / p});
    if (point.at == 1) continue;
    const auto share = grows ? gustafson_share : amdahl_share;
    shares.push_back(share(speedup.value, p));
    lows.push_back(share(speedup.high, p));
    highs.push_back(share(speedup.low, p));
  }
  std::ranges::sort(shares);
  const std::size_t half = shares.size() / 2;
  const double middle = shares.size() % 2 == 1 ? shares[half] : (shares[half - 1] + shares[half]) / 2;
  scaling.serial = Estimate{middle, std::ranges::min(lows), std::ranges::max(highs)};
  const auto inverse = [](double share) { return share > 0 ? 1 / share : HUGE_VAL; };
  if (!grows && middle > 0 && middle < 1)
    scaling.limit = Estimate{1 / middle, inverse(scaling.serial->high), inverse(scaling.serial->low)};
}

/// The same work for each member, over problems that grow.
std::vector<Sweep> growing(std::span<const Figure> figures, const std::string& axis) {
  std::map<std::tuple<Where, std::string, double>, Sweep> found;
  for (const Figure& figure : figures) {
    const auto members = parameter(figure.parameters, axis);
    if (!members || *members < 1 || figure.validity != Validity::valid || !figure.time_ns) continue;
    if (!(work_of(figure) > 0) || !(figure.time_ns->low > 0)) continue;
    Where place = where(figure);
    place.parameters.clear();
    Sweep& sweep = found[{place, figure.variant, work_of(figure) / static_cast<double>(*members)}];
    sweep.where = place;
    sweep.variant = figure.variant;
    sweep.axis = axis;
    sweep.points.push_back({*members, &figure});
  }
  std::vector<Sweep> all;
  for (auto& [key, sweep] : found) {
    std::ranges::stable_sort(sweep.points, {}, &SweepPoint::at);
    const auto repeated = std::ranges::unique(sweep.points, {}, &SweepPoint::at);
    sweep.points.erase(repeated.begin(), repeated.end());
    if (sweep.points.size() >= 2) all.push_back(std::move(sweep));
  }
  return all;
}

TeamScaling scaling_of(const Sweep& sweep, const char* law) {
  TeamScaling scaling{.where = sweep.where, .variant = sweep.variant, .axis = sweep.axis, .law = law};
  read(scaling, sweep.points);
  return scaling;
}

}  // namespace

std::vector<TeamScaling> team_scaling(std::span<const Figure> figures) {
  std::vector<TeamScaling> all;
  for (const Sweep& sweep : sweeps(figures)) {
    const bool bounded = std::ranges::all_of(
        sweep.points, [](const SweepPoint& point) { return point.figure->time_ns->low > 0; });
    if (is_team(sweep.axis) && bounded) all.push_back(scaling_of(sweep, "Amdahl"));
  }
  for (const char* axis : {"threads", "ranks"})
    for (const Sweep& sweep : growing(figures, axis)) all.push_back(scaling_of(sweep, "Gustafson"));
  return all;
}

}  // namespace aisp::analysis
