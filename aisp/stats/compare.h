// SPDX-License-Identifier: Apache-2.0
/// \file
/// The estimator for a pair: how many times faster is the variant than its baseline, and how sure are we?
///
///   const Comparison c = compare({log_ratios_by_attempt}, plan, look, 0.02);
///   print(c.ratio, c.low, c.high, c.method, to_string(c.decision.outcome));
///
/// The unit is the round: log(baseline time / variant time) of the same round, in order of time, one vector
/// for each worker process. Nothing is discarded here; a NaN makes the answer unknown (0 to infinity).
/// The interval is the exact sequential sign interval, and only ever gets wider: by the block bootstrap and a
/// discount on the number of rounds when those are autocorrelated, by the spread of the attempts when
/// processes differ more than chance explains.
#pragma once

#include <string>
#include <vector>

#include "aisp/stats/decide.h"
#include "aisp/stats/sequential.h"

namespace aisp::stats {

struct PairedRounds {
  std::vector<std::vector<double>> log_ratios_by_attempt;  ///< > 0 where the variant is faster
};

struct Comparison {
  double ratio;                ///< exp of the median log ratio; NaN when unknown
  double low, high;            ///< interval of the ratio; 0 and infinity when there are too few rounds
  double confidence;           ///< 1 - alpha of the plan, over all its looks
  std::string method;          ///< "sign", "block bootstrap" or "attempts differ": what set the interval
  int rounds = 0;              ///< rounds used, over all attempts
  double autocorrelation = 0;  ///< lag 1, within attempts
  double attempt_spread = 0;   ///< largest attempt median over the smallest, as a ratio minus 1
  double attempt_p_value = 1;  ///< Kruskal-Wallis: attempts that differ only by chance differ this much
  Decision decision;
};

/// look: index into the plan; delta: region of practical equivalence (0.02 = 2 %).
Comparison compare(const PairedRounds& rounds, const SequentialPlan& plan, int look, double delta);

}  // namespace aisp::stats
