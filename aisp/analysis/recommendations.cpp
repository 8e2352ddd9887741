// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/recommendations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <tuple>

#include "aisp/analysis/leaderboard.h"
#include "aisp/core/ceiling.h"
#include "aisp/core/memory_resolution.h"

namespace aisp::analysis {
namespace {

std::string text(const char* format, double number) {
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), format, number);
  return buffer.data();
}

/// What helps once an implementation is at the ceiling, for what a ceiling of rates bounds.
const char* how_to_do_less(Bound bound) {
  if (bound == Bound::memory) return "move fewer bytes: fuse it with its neighbours, or use a smaller type";
  if (bound == Bound::cache) return "touch less of the cache: smaller types, or a better order of the loops";
  return "do less arithmetic: a lower precision on faster units, or another algorithm";
}

const char* how_to_come_closer(Bound bound) {
  switch (bound) {
    case Bound::memory:
      return "keep more requests in flight: wider and contiguous accesses, more work for each thread";
    case Bound::compute:
      return "keep the units busy: tiles in registers, more independent operations";
    case Bound::cache:
      return "make the tile fit the level it is meant for, and read it in order";
    case Bound::latency:
      return "overlap the waits: prefetch, or run independent chains side by side";
    case Bound::synchronisation:
      return "wait for less, and less often: larger pieces of work for each member";
    case Bound::io:
      return "transfer less, or overlap transfers with work";
  }
  return "";
}

/// Ceilings are rates of bytes and operations: they say nothing about work that waits.
bool has_ceiling(Bound bound) {
  return bound == Bound::memory || bound == Bound::compute || bound == Bound::cache;
}

struct Subject {
  const Contest& contest;
  const Figure* best = nullptr;     ///< proven, by gains; else the baseline
  const Figure* hopeful = nullptr;  ///< looks better than the best, which its interval does not prove
};

/// A share of a ceiling is its least time over the figure's own, so that room goes as that time does.
Estimate room_of(const Figure& figure, double percent) {
  const double room = 100 / percent;
  if (!figure.time_ns || !(figure.time_ns->value > 0)) return {room, room, room};
  const Estimate& ns = *figure.time_ns;
  return {room, room * ns.low / ns.value, room * ns.high / ns.value};
}

void about_bound(const Subject& subject, std::vector<Advice>& all) {
  const Figure& best = *subject.best;
  const Where& place = subject.contest.where;
  if (best.goal == Goal::memory) return;  // its time is not what it is for
  if (!has_ceiling(best.bound)) {
    all.push_back({place, best.variant, "bound by waiting",
                   "it is bound by " + std::string(name_of(best.bound)) + ", for which there is no ceiling",
                   how_to_come_closer(best.bound), std::nullopt, best.run});
    return;
  }
  if (!best.percent_of_ceiling) {
    all.push_back({place, best.variant, "no ceiling", "its share of a ceiling is not known",
                   "measure the ceilings with `aisp peak`, then run it again", std::nullopt, best.run});
    return;
  }
  const double percent = *best.percent_of_ceiling;
  const std::string ceiling = best.ceiling.empty() ? "its ceiling" : bound_on(best.device, best.ceiling);
  const std::string reached = text("it reaches %.0f", percent) + " % of " + ceiling;
  if (percent >= kAtTheCeiling) {
    all.push_back({place, best.variant, "at the ceiling", reached, how_to_do_less(best.bound),
                   room_of(best, percent), best.run});
  } else if (percent < kFarBelow) {
    all.push_back({place, best.variant, "room below the ceiling", reached, how_to_come_closer(best.bound),
                   room_of(best, percent), best.run});
  }
}

void about_traffic(const Subject& subject, std::vector<Advice>& all) {
  const Figure& best = *subject.best;
  if (!best.traffic_bytes || !(best.bytes > 0)) return;
  const double times = *best.traffic_bytes / best.bytes;
  if (times < kMuchTraffic) return;
  all.push_back({subject.contest.where, best.variant, "more traffic than needed",
                 text("its memory counters show %.2f", times) + " times the bytes that the work needs",
                 "reuse what was read: tile for the caches, and write whole lines", std::nullopt, best.run});
}

/// Its gain over the baseline that the best has, or is; nothing where it is over another one, which would say
/// nothing about the best.
std::optional<Estimate> gain_beside(const Figure& best, const Figure& other) {
  if (!other.gain || other.against != (best.baseline ? best.variant : best.against)) return std::nullopt;
  return other.gain;
}

Estimate gain_of_best(const Figure& best) { return best.gain.value_or(Estimate{1, 1, 1}); }

void about_anchor(const Subject& subject, std::vector<Advice>& all) {
  const Estimate best = gain_of_best(*subject.best);
  const Figure* library = nullptr;
  for (const Figure* each : subject.contest.entrants) {
    if (each->rung != Rung::anchor) continue;
    const std::optional<Estimate> gain = gain_beside(*subject.best, *each);
    if (!gain || !(gain->low > best.high)) continue;
    if (library == nullptr || gain->value > library->gain->value) library = each;
  }
  if (library == nullptr) return;
  all.push_back(
      {subject.contest.where, subject.best->variant, "a library is better",
       "'" + library->variant + "'" + text(" is %.2f times as good", library->gain->value / best.value),
       "use '" + library->variant + "', or learn what it does otherwise", std::nullopt, library->run});
}

void about_gain(const Subject& subject, std::vector<Advice>& all) {
  const Figure& best = *subject.best;
  const bool gained = best.gain && best.gain->low > 1;
  const bool tried = std::ranges::any_of(subject.contest.entrants, [](const Figure* each) {
    return each->rung == Rung::step && !each->baseline;
  });
  if (gained || !tried || !best.baseline) return;
  all.push_back({subject.contest.where, best.variant, "no gain here",
                 "no variant is surely better than the baseline at this size",
                 subject.hopeful != nullptr ? "keep the baseline here until one is"
                                            : "keep the baseline here, or look at larger sizes",
                 std::nullopt, best.run});
}

/// "4.8x [0.18, 642]"; an interval of everything is none.
std::string looks_text(const Estimate& gain) {
  const std::string value = text("%.3gx", gain.value);
  if (!(gain.low > 0) || !std::isfinite(gain.high)) return value + " without an interval";
  return value + text(" [%.3g", gain.low) + text(", %.3g]", gain.high);
}

/// Peaks of memory are compared as far as their device counts them, and over attempts: time narrows neither.
std::string how_to_tell_memory(const Figure& best, const Figure& hopeful) {
  if (best.peak_bytes && hopeful.peak_bytes &&
      !same_memory(*best.peak_bytes, *hopeful.peak_bytes, hopeful.device))
    return "its peak, or the other's, differs from attempt to attempt: mend that, and run it again";
  return "pages cannot tell them apart, and more time does not: run a larger size, where more memory lies "
         "between them";
}

void about_hopeful(const Subject& subject, std::vector<Advice>& all) {
  if (subject.hopeful == nullptr) return;
  const Figure& hopeful = *subject.hopeful;
  const bool memory = hopeful.goal == Goal::memory;
  const std::string than = subject.best->baseline ? "the baseline" : "'" + subject.best->variant + "'";
  all.push_back(
      {subject.contest.where, hopeful.variant, memory ? "not told apart" : "worth measuring longer",
       "it looks better than " + than + ", " + looks_text(*hopeful.gain) + ", which is not proven",
       memory ? how_to_tell_memory(*subject.best, hopeful) : "run it again with more --cell-seconds",
       std::nullopt, hopeful.run});
}

void about_validity(const Contest& contest, std::vector<Advice>& all) {
  for (const LeftOut& out : contest.left_out) {
    if (!out.not_valid) continue;
    all.push_back({contest.where, out.variant, "not valid", out.why,
                   "`aisp show " + out.run + "` says why; mend that and run it again", std::nullopt,
                   out.run});
  }
}

/// Whoever looks best of the ladder: all that can be said where there is no valid baseline.
const Figure* best_looking(const Contest& contest) {
  const auto gain = [](const Figure* each) { return each->gain ? each->gain->value : 1.0; };
  const Figure* best = nullptr;
  for (const Figure* each : contest.entrants) {
    if (each->rung == Rung::anchor) continue;
    if (best == nullptr || gain(each) > gain(best)) best = each;
  }
  return best;
}

const Figure* hopeful_of(const Subject& subject) {
  const Figure* hopeful = nullptr;
  double most = gain_of_best(*subject.best).value;
  for (const Figure* each : subject.contest.entrants) {
    if (each->rung == Rung::anchor || each->baseline) continue;
    const std::optional<Estimate> gain = gain_beside(*subject.best, *each);
    const bool proven = gain && gain->low > 1 && std::isfinite(gain->high);
    if (!gain || proven || !(gain->value > most)) continue;
    most = gain->value;
    hopeful = each;
  }
  return hopeful;
}

/// By gains and not by rounds, as over all contests: those of thousands of cells would have to be read.
Subject subject_of(const Contest& contest) {
  Subject subject{contest};
  if (contest.baseline == nullptr) {
    subject.best = best_looking(contest);
    return subject;
  }
  const Standing standing = standing_of(contest);
  const auto leader = std::ranges::find_if(standing.places, is_proven);
  subject.best = contest.baseline;
  if (leader != standing.places.end())
    subject.best = *std::ranges::find(contest.entrants, leader->variant, &Figure::variant);
  subject.hopeful = hopeful_of(subject);
  return subject;
}

}  // namespace

std::vector<Advice> recommendations(std::span<const Figure> figures) {
  std::vector<Advice> all;
  for (const Contest& contest : contests(figures)) {
    const Subject subject = subject_of(contest);
    if (subject.best != nullptr) {
      about_gain(subject, all);
      about_hopeful(subject, all);
      about_anchor(subject, all);
      about_traffic(subject, all);
      about_bound(subject, all);
    }
    about_validity(contest, all);
  }
  std::ranges::stable_sort(all, std::greater{},
                           [](const Advice& advice) { return advice.room ? advice.room->value : 0.0; });
  return all;
}

std::vector<std::vector<const Advice*>> said_once(std::span<const Advice> all) {
  std::vector<std::vector<const Advice*>> groups;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> places;
  for (const Advice& advice : all) {
    const auto [place, is_new] =
        places.try_emplace({advice.rule, advice.because, advice.action}, groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(&advice);
  }
  return groups;
}

}  // namespace aisp::analysis
