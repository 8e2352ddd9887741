// SPDX-License-Identifier: Apache-2.0
/// \file
/// From a series of stored results to what changed in it, and from paired runs to whether it did.
///
///   ExaminedSeries examined = examine(series, {});
///   settle(examined, paired_runs);
///   for (const HistoryChange& change : examined.changes) if (change.alerts()) ...
///
/// A change that is seen over time is only suspected: the machine, its firmware and its neighbours change as
/// well, and of many series some look changed by chance. What settles it is a run that measured both
/// revisions in alternation. The same files on both sides are never even suspected.
#pragma once

#include <span>

#include "aisp/core/history.h"
#include "aisp/stats/change_points.h"

namespace aisp::analysis {

struct HistoryOptions {
  double equivalence = 0.02;  ///< changes of the level below this are small
  stats::ChangePointOptions search = {};
};

/// Points whose value is not a positive number must have been left out.
ExaminedSeries examine(HistorySeries series, const HistoryOptions& options);

/// Gives every suspected change the verdict of the paired runs of its revisions: the latest that could tell,
/// else the latest. A run counts where its old build is one of the level before the change and its new build
/// one of the level behind it.
void settle(ExaminedSeries& examined, std::span<const PairedRevisions> runs);

/// Whether a run of these two builds says something about the change.
bool speaks_of(const PairedRevisions& run, const ExaminedSeries& examined, const HistoryChange& change);

/// The points of the level before the change that are surely of it, latest first, and of the level behind
/// it, earliest first: whose builds to measure, best first.
struct Revisions {
  std::vector<const HistoryPoint*> before, behind;
};
Revisions revisions_of(const ExaminedSeries& examined, const HistoryChange& change);

}  // namespace aisp::analysis
