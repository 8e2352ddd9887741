// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "aisp/analysis/history.h"

namespace aisp::analysis {
namespace {

bool among(const std::string& program, const HistoryPoint& point) {
  return std::ranges::find(point.run->programs, program) != point.run->programs.end();
}

ChangeStatus verdict_of(const PairedRevisions& run, bool worse) {
  if (run.validity != Validity::valid || !run.ratio || run.ratio->outcome == Outcome::inconclusive)
    return ChangeStatus::unsettled;
  const bool as_seen = run.ratio->outcome == (worse ? Outcome::slower : Outcome::faster);
  return as_seen && !run.ratio->small ? ChangeStatus::confirmed : ChangeStatus::refuted;
}

}  // namespace

Revisions revisions_of(const ExaminedSeries& examined, const HistoryChange& change) {
  std::size_t begin = 0, end = examined.series.points.size();
  for (const HistoryChange& other : examined.changes) {
    if (other.at < change.at) begin = other.at;
    if (other.at > change.at) end = std::min(end, other.at);
  }
  Revisions found;
  for (std::size_t i = change.last_old + 1; i-- > begin;) found.before.push_back(&examined.series.points[i]);
  for (std::size_t i = change.first_new; i < end; ++i) found.behind.push_back(&examined.series.points[i]);
  return found;
}

bool speaks_of(const PairedRevisions& run, const ExaminedSeries& examined, const HistoryChange& change) {
  const HistorySeries& series = examined.series;
  if (run.workload != series.workload || run.parameters != series.parameters || run.device != series.device ||
      run.cache != series.cache || run.variant != series.variant || run.old_program == run.new_program)
    return false;
  const Revisions revisions = revisions_of(examined, change);
  const auto only_in = [](const std::string& program, const std::vector<const HistoryPoint*>& its,
                          const std::vector<const HistoryPoint*>& others) {
    const auto has = [&](const HistoryPoint* point) { return among(program, *point); };
    return std::ranges::any_of(its, has) && std::ranges::none_of(others, has);
  };
  return only_in(run.old_program, revisions.before, revisions.behind) &&
         only_in(run.new_program, revisions.behind, revisions.before);
}

void settle(ExaminedSeries& examined, std::span<const PairedRevisions> runs) {
  for (HistoryChange& change : examined.changes) {
    if (change.status != ChangeStatus::suspected) continue;
    for (const PairedRevisions& run : runs) {
      if (!speaks_of(run, examined, change)) continue;
      const bool tells = verdict_of(run, change.worse()) != ChangeStatus::unsettled;
      const bool told = change.paired && change.status != ChangeStatus::unsettled;
      const bool later = !change.paired || run.finished >= change.paired->finished;
      if (!((tells && !told) || (tells == told && later))) continue;
      change.paired = run;
      change.status = verdict_of(run, change.worse());
    }
  }
}

}  // namespace aisp::analysis
