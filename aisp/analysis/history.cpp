// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/history.h"

#include <algorithm>
#include <cmath>

#include "aisp/stats/segments.h"
#include "aisp/stats/summary.h"

namespace aisp::analysis {
namespace {

// How far a change point may lie from its step: in the corpus of known histories 236 of 239 that were
// found are as near.
constexpr std::size_t kPlaceUncertain = 2;

/// Above 1: `after` is better than `before`.
double gain(Goal goal, double before, double after) {
  return goal == Goal::throughput ? after / before : before / after;
}

bool same_build(const HistoryPoint& a, const HistoryPoint& b) {
  return !a.run->programs.empty() && a.run->programs == b.run->programs;
}

/// Inside the region of practical equivalence.
bool is_small(double ratio, double equivalence) {
  return ratio >= 1 / (1 + equivalence) && ratio <= 1 + equivalence;
}

/// Noise near a change can put a value on the wrong side of the cut: those that look like the other level are
/// nobody's witness.
void find_witnesses(const std::vector<double>& logs, std::size_t begin, std::size_t end,
                    HistoryChange& change) {
  const double before = std::log(change.before), after = std::log(change.after);
  const auto looks_old = [&](std::size_t i) {
    return std::abs(logs[i] - before) <= std::abs(logs[i] - after);
  };
  change.last_old = change.at - 1;
  for (std::size_t i = change.at; i-- > begin;) {
    if (!looks_old(i)) continue;
    change.last_old = i;
    break;
  }
  change.first_new = change.at;
  for (std::size_t i = change.at; i < end; ++i) {
    if (looks_old(i)) continue;
    change.first_new = i;
    break;
  }
}

/// Where the witnesses are of one build, the step may still lie at the nearest change of build.
void prefer_another_build(const std::vector<HistoryPoint>& points, HistoryChange& change) {
  if (!same_build(points[change.last_old], points[change.first_new])) return;
  for (std::size_t away = 1; away <= kPlaceUncertain; ++away) {
    for (const std::size_t at : {change.at + away, change.at - std::min(away, change.at)}) {
      if (at == 0 || at >= points.size() || same_build(points[at - 1], points[at])) continue;
      change.last_old = at - 1;
      change.first_new = at;
      return;
    }
  }
}

}  // namespace

ExaminedSeries examine(HistorySeries series, const HistoryOptions& options) {
  ExaminedSeries examined;
  std::vector<double> logs;
  for (const HistoryPoint& point : series.points) logs.push_back(std::log(point.value.value));
  const stats::Segments found = stats::segments(logs, options.search);
  const auto level = [&](std::size_t begin, std::size_t end) {
    return std::exp(stats::median(std::span(logs).subspan(begin, end - begin)));
  };
  const std::size_t newest_from = found.changes.empty() ? 0 : found.changes.back().at;
  for (std::size_t i = 0; i < found.changes.size(); ++i) {
    const std::size_t begin = i == 0 ? 0 : found.changes[i - 1].at;
    const std::size_t end = i + 1 == found.changes.size() ? logs.size() : found.changes[i + 1].at;
    HistoryChange change;
    change.at = found.changes[i].at;
    change.p_value = found.changes[i].p_value;
    change.before = level(begin, change.at);
    change.after = level(change.at, end);
    change.ratio = gain(series.goal, change.before, change.after);
    find_witnesses(logs, begin, end, change);
    prefer_another_build(series.points, change);
    const double least = 1 / (1 + options.equivalence);
    change.recovered =
        change.worse() && gain(series.goal, change.before, level(newest_from, logs.size())) >= least;
    if (is_small(change.ratio, options.equivalence)) {
      change.status = ChangeStatus::small;
    } else if (same_build(series.points[change.last_old], series.points[change.first_new])) {
      change.status = ChangeStatus::same_build;
    }
    examined.changes.push_back(change);
  }
  for (const stats::Slope& slope : found.slopes) {
    const double ratio = gain(series.goal, 1, std::exp(slope.rise));
    examined.drifts.push_back({slope.begin, slope.end, ratio, is_small(ratio, options.equivalence)});
  }
  examined.series = std::move(series);
  return examined;
}

}  // namespace aisp::analysis
