// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/history_rows.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "aisp/report/format.h"
#include "aisp/report/text.h"
#include "aisp/stats/change_points.h"
#include "aisp/stats/summary.h"

namespace aisp::report {
namespace {

constexpr std::size_t kLineWidth = 24;

std::string level_text(double value, Goal goal) {
  return format_figure({value, value, value}, goal, Detail::value);
}

/// "2026-11-15 abc1234 to def5678"; without commits where they are not known.
std::string place_text(const HistorySeries& series, const HistoryChange& change) {
  const HistoryPoint &old_point = series.points[change.last_old],
                     &new_point = series.points[change.first_new];
  const std::string date = visible(new_point.time.substr(0, 10));
  if (old_point.run->commit.empty() || new_point.run->commit.empty()) return date;
  return date + " " + visible(old_point.run->commit) + " to " + visible(new_point.run->commit);
}

Judgement verdict_of(const HistoryChange& change) {
  Judgement verdict{std::string(name_of(change.status)), Tone::plain};
  if (change.paired && change.paired->ratio) verdict.text += " " + format_ratio(*change.paired->ratio);
  if (change.recovered) verdict.text += ", made good again";
  if (change.alerts()) {
    verdict.tone = Tone::bad;
  } else if (change.worse() && !change.recovered &&
             (change.status == ChangeStatus::suspected || change.status == ChangeStatus::unsettled)) {
    verdict.tone = Tone::caution;
  } else if (!change.worse() && change.status == ChangeStatus::confirmed) {
    verdict.tone = Tone::good;
  }
  return verdict;
}

HistoryRow row_of(const ExaminedSeries& examined) {
  const HistorySeries& series = examined.series;
  std::vector<double> values;
  for (const HistoryPoint& point : series.points) values.push_back(point.value.value);
  HistoryRow row;
  row.workload = visible(series.workload);
  row.parameters = visible(series.parameters);
  row.variant = visible(series.variant);
  row.line = sparkline(values, kLineWidth);
  row.points = std::to_string(values.size());
  row.levels = values.empty() ? std::string(kUnknownText) : level_text(stats::median(values), series.goal);
  row.change = row.place = std::string(kUnknownText);
  row.verdict.text = young(series) ? "too few results" : "no change";
  return row;
}

}  // namespace

bool young(const HistorySeries& series) { return series.points.size() < kPointsToTest; }

std::vector<HistoryRow> history_rows(std::span<const ExaminedSeries> examined, bool all) {
  std::vector<HistoryRow> rows;
  for (const ExaminedSeries& each : examined) {
    const HistoryRow whole = row_of(each);
    const std::size_t before = rows.size();
    for (const HistoryChange& change : each.changes) {
      if (change.status == ChangeStatus::small && !all) continue;
      HistoryRow row = whole;
      row.levels =
          level_text(change.before, each.series.goal) + " to " + level_text(change.after, each.series.goal);
      row.change = format_ratio(change.ratio);
      row.place = place_text(each.series, change);
      row.verdict = verdict_of(change);
      rows.push_back(std::move(row));
    }
    for (const HistoryDrift& drift : each.drifts) {
      if (drift.small && !all) continue;
      HistoryRow row = whole;
      row.change = format_ratio(drift.ratio);
      row.place = visible(each.series.points[drift.begin].time.substr(0, 10)) + " to " +
                  visible(each.series.points[drift.end - 1].time.substr(0, 10));
      row.verdict = {drift.small ? "small drift" : "drift",
                     drift.ratio < 1 && !drift.small ? Tone::caution : Tone::plain};
      rows.push_back(std::move(row));
    }
    if (all && rows.size() == before) rows.push_back(whole);
  }
  return rows;
}

HistoryCounts count_changes(std::span<const ExaminedSeries> examined) {
  HistoryCounts counts;
  for (const ExaminedSeries& each : examined) {
    ++counts.series;
    counts.tested += !young(each.series);
    counts.points += static_cast<int>(each.series.points.size());
    for (const HistoryChange& change : each.changes) {
      if (!change.worse() || change.recovered) continue;
      counts.confirmed += change.status == ChangeStatus::confirmed;
      counts.suspected += change.status == ChangeStatus::suspected;
      counts.unsettled += change.status == ChangeStatus::unsettled;
    }
  }
  return counts;
}

std::string summary_of(const HistoryCounts& counts) {
  std::string untested;
  if (counts.tested < counts.series)
    untested = fmt::format(", {} of them tested (a test takes {} results of a series, {} on either side)",
                           counts.tested == 0 ? "none" : std::to_string(counts.tested), kPointsToTest,
                           kPointsToTest / 2);
  return fmt::format("{} series of {} results{}: {} confirmed regression{}, {} suspected, {} unsettled",
                     counts.series, counts.points, untested, counts.confirmed,
                     counts.confirmed == 1 ? "" : "s", counts.suspected, counts.unsettled);
}

std::string sparkline(std::span<const double> values, std::size_t width) {
  static constexpr std::array<const char*, 8> kHeights{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const double low = stats::quantile(values, 0.05), high = stats::quantile(values, 0.95);
  const std::size_t columns = std::min(width, values.size());
  std::string text;
  for (std::size_t i = 0; i < columns; ++i) {
    const std::size_t begin = i * values.size() / columns, end = (i + 1) * values.size() / columns;
    const double share = (stats::median(values.subspan(begin, end - begin)) - low) / (high - low);
    // Not a number where all values are alike.
    const double height = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) * 7 : 0;
    text += kHeights[static_cast<std::size_t>(std::lround(height))];
  }
  return text;
}

}  // namespace aisp::report
