// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a search for change points finds of the corpus of known histories, counted alike for every search.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "aisp/stats/change_points.h"
#include "tests/stats/known_histories.h"

namespace aisp::stats {

// The steps of the corpus are two sets, each with a recall of its own. Large ones, of this many sigma and
// more, are expected to be found: with eight values on either side, the fewest that a step of the corpus has,
// the difference of normal means is then six standard errors. Small ones, of 1.5 and 2 sigma, are there to
// say where the search ends.
constexpr double kLarge = 3;

extern const std::string kCorpusFile;

struct Share {
  int hits = 0, all = 0;
  void count(bool hit) { hits += hit, ++all; }
  double percent() const { return all == 0 ? 0 : 100.0 * hits / all; }
};

struct CorpusScore {
  Share right;                    ///< of the change points, those near a step
  Share large, small;             ///< of the steps, those with a change point near
  std::map<double, Share> sizes;  ///< of the steps by their sigmas
  int exact = 0, close = 0;       ///< change points at the very place, and within two values of it
  int on_slopes = 0;              ///< change points in histories that creep
  Share steps() const { return {large.hits + small.hits, large.all + small.all}; }
};

std::vector<KnownHistory> kept_corpus();

/// Every change point answers for one step at most.
void count(const KnownHistory& history, const std::vector<ChangePoint>& found, CorpusScore& score);

}  // namespace aisp::stats
