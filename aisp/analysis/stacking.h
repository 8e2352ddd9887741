// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which techniques combine: what each does alone, what two do together, and what one still adds to the best
/// of the others. From the raw rounds of one cell in which every subset was measured.
///
///   const Stacking read = stacking(techniques, measured, {plan, cell.look, 0.02});
///   read.interactions[0].ratio;   // 1.20 [1.17, 1.24]: together 1.2 times what they do one by one
///
/// A ratio is above 1 where the techniques gain. An interaction of A and B is, in every round, the log of
/// gain(A+B) / (gain(A) gain(B)); times of a round share its noise, so the four of them are never taken from
/// different ones. Nothing is said of a subset that was not measured, and no effect comes from a table.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "aisp/analysis/contest.h"
#include "aisp/stats/sequential.h"

namespace aisp::analysis {

/// One subset of the techniques: its cost in each kept round, by attempt and round; less is better.
struct MeasuredSubset {
  std::string variant;
  std::vector<std::string> techniques;  ///< empty: the baseline
  std::map<std::pair<int, int>, double> costs;
};

/// What a subset gains over none of the techniques.
struct SubsetGain {
  std::string variant;
  std::vector<std::string> techniques;
  std::optional<RatioEstimate> gain;
  AISP_FIELDS(variant, techniques, gain)
};

struct Interaction {
  std::string first, second;           ///< techniques, in the order of their declaration
  std::optional<RatioEstimate> ratio;  ///< gain of both over the product of their gains
  std::string reading;                 ///< "help each other", "get in the way", "add up", or "cannot tell"
  std::string needs;                   ///< not empty: which subsets are missing
  AISP_FIELDS(first, second, ratio, reading, needs)
};

/// What one technique adds to the best subset of the others.
struct Marginal {
  std::string technique;
  std::string to;  ///< the variant it is added to
  std::optional<RatioEstimate> gain;
  std::string needs;
  AISP_FIELDS(technique, to, gain, needs)
};

struct Stacking {
  Where where;
  std::string run, finished;            ///< that it was read from
  std::vector<std::string> techniques;  ///< in the order of their declaration
  std::string baseline;                 ///< the variant with none of them
  std::vector<SubsetGain> subsets;      ///< most gain first
  std::vector<Interaction> interactions;
  std::vector<Marginal> marginals;
  std::string best;                  ///< variant; the baseline where no subset gains
  std::vector<std::string> as_good;  ///< others, over which the best one's interval does not exclude 1
  std::vector<LeftOut> left_out;
  std::string needs;  ///< not empty: nothing can be read, for want of this
  AISP_FIELDS(where, run, finished, techniques, baseline, subsets, interactions, marginals, best, as_good,
              left_out, needs)
};

/// `plan`, `look` and `equivalence` are those the rounds were sampled with.
struct StackingRules {
  const stats::SequentialPlan& plan;
  int look = 0;
  double equivalence = 0.02;
};

/// The first of `measured` is the baseline; the others in any order. `techniques` are those declared,
/// measured or not.
Stacking stacking(std::vector<std::string> techniques, std::span<const MeasuredSubset> measured,
                  const StackingRules& rules);

}  // namespace aisp::analysis
