// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/leaderboard.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace aisp::analysis {
namespace {

/// Why the figure has no place; empty: it has one.
std::string objection(const Figure& figure, const Contest& contest) {
  if (contest.baseline == nullptr) return "there is no valid baseline";
  if (figure.baseline) return "";
  if (!figure.gain) return "it has no gain over a valid baseline";
  if (figure.against != contest.baseline->variant)
    return "it was compared with '" + figure.against + "', not with '" + contest.baseline->variant + "'";
  if (!std::isfinite(figure.gain->low) || !std::isfinite(figure.gain->high) || !(figure.gain->low > 0))
    return "its gain has no interval";
  return "";
}

/// One more than the lower ends above each upper end, for any number of intervals.
class Ranking {
 public:
  explicit Ranking(std::vector<double> lows) : lows_(std::move(lows)) { std::ranges::sort(lows_); }
  int rank(const Estimate& gain) const {
    return 1 + static_cast<int>(lows_.end() - std::ranges::upper_bound(lows_, gain.high));
  }

 private:
  std::vector<double> lows_;
};

void mark_ties(std::vector<Place>& places) {
  std::map<int, int> holders;
  for (const Place& place : places)
    if (place.rank) ++holders[*place.rank];
  for (Place& place : places) place.tied = place.rank && holders[*place.rank] > 1;
}

void rank(std::vector<Place>& places) {
  std::vector<double> lows;
  for (const Place& place : places)
    if (place.rank) lows.push_back(place.gain.low);
  const Ranking ranking(std::move(lows));
  for (Place& place : places)
    if (place.rank) place.rank = ranking.rank(place.gain);
  mark_ties(places);
}

bool surely_better(const Place& a, const Place& b, const PairOf& pair) {
  const std::optional<Estimate> ratio = a.seq == b.seq ? pair(a, b) : std::nullopt;
  return ratio ? ratio->low > 1 : a.gain.low > b.gain.high;
}

/// By rank, and by value within one: a wide interval may rank before a larger value that is surely beaten. An
/// anchor stands before the first that it has a larger value than.
void order(std::vector<Place>& places) {
  const auto value = [](const Place& place) { return -place.gain.value; };
  const auto anchors =
      std::ranges::stable_partition(places, [](const Place& p) { return p.rank.has_value(); });
  std::vector<Place> without_rank(anchors.begin(), anchors.end());
  places.erase(anchors.begin(), anchors.end());
  std::ranges::stable_sort(places, {},
                           [&](const Place& place) { return std::pair(*place.rank, value(place)); });
  std::ranges::stable_sort(without_rank, {}, value);
  auto at = places.begin();
  for (Place& anchor : without_rank) {
    at = std::find_if(at, places.end(), [&](const Place& p) { return p.gain.value < anchor.gain.value; });
    at = std::next(places.insert(at, std::move(anchor)));
  }
}

}  // namespace

Standing standing_of(const Contest& contest) {
  Standing standing{.where = contest.where, .left_out = contest.left_out};
  for (const Figure* figure : contest.entrants) {
    standing.goal = figure->goal;
    if (std::string why = objection(*figure, contest); !why.empty()) {
      standing.left_out.push_back({figure->variant, std::move(why)});
      continue;
    }
    Place place{.variant = figure->variant,
                .baseline = figure->baseline,
                .gain = figure->gain.value_or(Estimate{1, 1, 1}),
                .time_ns = figure->time_ns,
                .figure = figure->figure,
                .run = figure->run,
                .newest = figure->newest,
                .seq = figure->seq};
    if (figure->rung != Rung::anchor) place.rank = 1;  // settled below
    standing.places.push_back(std::move(place));
  }
  rank(standing.places);
  order(standing.places);
  if (standing.places.empty())
    standing.needs = contest.entrants.empty() ? kNeedsValid : "a valid baseline beside valid variants";
  return standing;
}

std::vector<Standing> standings(std::span<const Figure> figures, std::optional<Goal> goal) {
  std::vector<Figure> wanted;
  if (goal) {
    std::ranges::copy_if(figures, std::back_inserter(wanted),
                         [&](const Figure& figure) { return figure.goal == *goal; });
    figures = wanted;
  }
  std::vector<Standing> all;
  for (const Contest& contest : contests(figures)) all.push_back(standing_of(contest));
  return all;
}

void decide_by_pairs(Standing& standing, const PairOf& pair) {
  std::vector<Place*> ranked;
  for (Place& place : standing.places)
    if (place.rank) ranked.push_back(&place);
  const std::size_t n = ranked.size();
  std::vector<std::vector<bool>> better(n, std::vector<bool>(n, false));
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) better[a][b] = a != b && surely_better(*ranked[a], *ranked[b], pair);
  for (std::size_t through = 0; through < n; ++through)
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b)
        if (better[a][through] && better[through][b]) better[a][b] = true;
  // Chance may make a circle of them; among those none is better.
  for (std::size_t b = 0; b < n; ++b) {
    ranked[b]->rank = 1;
    for (std::size_t a = 0; a < n; ++a)
      if (better[a][b] && !better[b][a]) ++*ranked[b]->rank;
  }
  mark_ties(standing.places);
  order(standing.places);
  standing.by_rounds = true;
}

bool is_proven(const Place& place) { return place.rank && place.gain.low > 1; }

std::vector<Leader> leaders(const std::vector<Standing>& standings, std::size_t top) {
  std::vector<Leader> all;
  std::vector<double> lows;
  for (const Standing& standing : standings) {
    const auto best = std::ranges::find_if(standing.places, is_proven);
    if (best == standing.places.end()) continue;
    all.push_back(
        {.where = standing.where, .goal = standing.goal, .place = *best, .by_rounds = standing.by_rounds});
    lows.push_back(best->gain.low);
  }
  const Ranking ranking(std::move(lows));
  std::map<int, int> holders;
  for (Leader& leader : all) ++holders[leader.rank = ranking.rank(leader.place.gain)];
  for (Leader& leader : all) leader.tied = holders[leader.rank] > 1;
  // A wide interval may rank before a larger value that is surely beaten.
  std::ranges::stable_sort(
      all, {}, [](const Leader& leader) { return std::pair(leader.rank, -leader.place.gain.value); });
  if (all.size() > top) all.resize(top);
  return all;
}

}  // namespace aisp::analysis
