// SPDX-License-Identifier: Apache-2.0
/// \file
/// What every rendering of a history says, decided once: a row for each change and each drift, as text.
///
///   for (const HistoryRow& row : history_rows(examined, false)) ...
///
/// Every text has passed through visible(); markup still has to be escaped.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "aisp/core/history.h"
#include "aisp/report/row.h"
#include "aisp/stats/change_points.h"

namespace aisp::report {

struct HistoryRow {
  std::string workload, parameters, variant;
  std::string line;    ///< the series as a line of blocks
  std::string points;  ///< how many
  std::string levels;  ///< "4.56 ms to 5.02 ms"
  std::string change;  ///< "0.91x": below 1 is worse
  std::string place;   ///< "2026-11-15 abc1234 to def5678"
  Judgement verdict;   ///< "confirmed 0.91x [0.90, 0.92]"
};

/// Results that a series needs before a change can be found in it, whatever they are.
inline constexpr std::size_t kPointsToTest = 2 * stats::ChangePointOptions{}.least;
/// Has fewer.
bool young(const HistorySeries& series);

/// `all`: a row also for series in which nothing changed, and for small changes.
std::vector<HistoryRow> history_rows(std::span<const ExaminedSeries> examined, bool all);

struct HistoryCounts {
  int series = 0, points = 0;
  int tested = 0;                    ///< series with enough results
  int confirmed = 0;                 ///< regressions that alert
  int suspected = 0, unsettled = 0;  ///< of changes for the worse that were not made good again
};
HistoryCounts count_changes(std::span<const ExaminedSeries> examined);
/// "12 series of 340 results: 1 confirmed regression, ..."; how many were tested, where not all were
std::string summary_of(const HistoryCounts& counts);

/// Values from low to high as eight heights of blocks; more than `width` are put together by their medians.
/// The lowest and highest of them set the scale, but for the outermost twentieth on either side.
std::string sparkline(std::span<const double> values, std::size_t width);

}  // namespace aisp::report
