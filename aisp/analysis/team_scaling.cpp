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

const char* unit_of_work(const Figure& figure) {
  return figure.items > 0 ? "items" : figure.flops > 0 ? "operations" : "bytes";
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
  if (!grows && std::ranges::none_of(scaling.points, [](const TeamPoint& point) {
        return point.members > 1 && (point.speedup.low > 1 || point.speedup.high < 1);
      })) {
    scaling.needs = "times with more " + scaling.axis + " that surely differ from those with one";
    return;  // a law read from noise would be noise
  }
  std::ranges::sort(shares);
  const std::size_t half = shares.size() / 2;
  const double middle = shares.size() % 2 == 1 ? shares[half] : (shares[half - 1] + shares[half]) / 2;
  scaling.serial = Estimate{middle, std::ranges::min(lows), std::ranges::max(highs)};
  const auto inverse = [](double share) { return share > 0 ? 1 / share : HUGE_VAL; };
  if (!grows && middle > 0 && middle < 1)
    scaling.limit = Estimate{1 / middle, inverse(scaling.serial->high), inverse(scaling.serial->low)};
}

/// Amdahl's law is of one problem: where each member brings its own, equal times are a perfect team and no
/// serial one. Undeclared work, of which nothing is known, is taken to stay with the parameters.
bool work_stays(const Sweep& sweep) {
  const double first = work_of(*sweep.points.front().figure);
  return std::ranges::all_of(sweep.points,
                             [&](const SweepPoint& point) { return work_of(*point.figure) == first; });
}

struct GrowingSweep {
  Sweep sweep;
  double work_per_member = 0;
  std::string work_unit;
  std::vector<std::int64_t> sizes;  ///< of the parameter that grows, for each point; none where none does
};

/// Larger teams at larger sizes, one measurement each: otherwise it is not this parameter that makes the work
/// grow, and the points are of different problems.
bool grows_with_the_team(const GrowingSweep& each) {
  const auto& points = each.sweep.points;
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (points[i].at == points[i - 1].at) return false;
    if (!each.sizes.empty() && each.sizes[i] <= each.sizes[i - 1]) return false;
  }
  return points.size() >= 2;
}

/// The same work for each member, over problems that grow: by one parameter, or by the team itself where each
/// member brings its own. All other parameters stay, so that a block size is not mixed with another.
std::vector<GrowingSweep> growing(std::span<const Figure> figures, const std::string& axis) {
  std::vector<const Figure*> by_team;
  for (const Figure& figure : figures) {
    const auto members = parameter(figure.parameters, axis);
    if (!members || *members < 1 || figure.validity != Validity::valid || !figure.time_ns) continue;
    if (work_of(figure) > 0 && figure.time_ns->low > 0) by_team.push_back(&figure);
  }
  const auto members_of = [&](const Figure* figure) { return *parameter(figure->parameters, axis); };
  std::ranges::stable_sort(by_team, {}, members_of);
  std::map<std::tuple<Where, std::string, std::string, double>, GrowingSweep> found;
  for (const Figure* figure : by_team) {
    auto others = parameters_of(figure->parameters);
    std::erase_if(others, [&](const auto& each) { return each.first == axis; });
    const double each_does = work_of(*figure) / static_cast<double>(members_of(figure));
    for (std::size_t i = 0; i <= others.size(); ++i) {  // the last: none of them grows
      const bool one_grows = i < others.size();
      auto stay = others;
      if (one_grows) stay.erase(stay.begin() + static_cast<std::ptrdiff_t>(i));
      Where place = where(*figure);
      place.parameters = text_of(stay);
      GrowingSweep& growing = found[{place, figure->variant, one_grows ? others[i].first : "", each_does}];
      if (one_grows) growing.sizes.push_back(others[i].second);
      growing.sweep.where = std::move(place);
      growing.sweep.variant = figure->variant;
      growing.sweep.axis = axis;
      growing.sweep.points.push_back({members_of(figure), figure});
      growing.work_per_member = each_does;
      growing.work_unit = unit_of_work(*figure);
    }
  }
  std::vector<GrowingSweep> all;
  for (auto& [key, each] : found)
    if (grows_with_the_team(each)) all.push_back(std::move(each));
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
    if (is_team(sweep.axis) && bounded && work_stays(sweep)) all.push_back(scaling_of(sweep, "Amdahl"));
  }
  for (const char* axis : {"threads", "ranks"}) {
    for (const GrowingSweep& each : growing(figures, axis)) {
      all.push_back(scaling_of(each.sweep, "Gustafson"));
      all.back().work_per_member = each.work_per_member;
      all.back().work_unit = each.work_unit;
    }
  }
  return all;
}

}  // namespace aisp::analysis
