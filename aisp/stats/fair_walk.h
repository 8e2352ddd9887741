// SPDX-License-Identifier: Apache-2.0
/// \file
/// The number of values below the true median, as values arrive: a fair coin walk, followed exactly.
///
///   FairWalk walk;
///   walk.advance(12);
///   double missed = walk.absorb(1);   // P(S <= 1 or S >= 11) = 26 / 4096
///   walk.advance(24);                 // the walks that have not missed go on
///   missed += walk.absorb(5);
///
/// This is what makes the boundaries of sequential.h exact instead of asymptotic. Not a simulation.
#pragma once

#include <vector>

namespace aisp::stats {

class FairWalk {
 public:
  /// Tosses coins until n have been tossed in all; n may not go back. Cost O(sqrt(n)) a toss.
  void advance(int n);

  /// Probability that a walk not absorbed so far stands at S <= c or S >= n - c.
  double outside(int c) const;

  /// Removes those walks and returns their probability.
  double absorb(int c);

  int tosses() const { return tosses_; }

 private:
  int tosses_ = 0;
  int first_ = 0;  // alive_[i] is the probability of S = first_ + i
  std::vector<double> alive_{1.0};
  std::vector<double> next_;
  double trimmed_ = 0;  // mass of states too unlikely to follow; counted as absorbed, to err safely
};

}  // namespace aisp::stats
