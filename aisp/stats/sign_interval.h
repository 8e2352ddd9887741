// SPDX-License-Identifier: Apache-2.0
/// \file
/// The exact sign-test interval of a median: two order statistics, chosen by counting coin tosses.
///
///   if (auto i = sign_interval(log_ratios, 0.05)) print(std::exp(i->low), std::exp(i->high));
///   // n = 12: c = 2, so the interval is [x_(3), x_(10)] with confidence 1 - 2 * 79 / 4096 = 0.9614
///
/// It assumes nothing about the shape of the noise, only that values are independent; ties make it wider in
/// coverage, never narrower. Not safe to look at repeatedly while sampling goes on: see sequential.h.
#pragma once

#include <algorithm>
#include <optional>
#include <span>

namespace aisp::stats {

struct Interval {
  double low, high;
  double confidence;  ///< of covering the true median, at least

  void widen(double to_low, double to_high) {
    low = std::min(low, to_low);
    high = std::max(high, to_high);
  }
};

/// P(S <= c) for S ~ Binomial(n, 1/2); 0 for c < 0, 1 for c >= n. Cost O(n).
double fair_binomial_tail(int n, int c);

/// The largest c with 2 P(S <= c) <= alpha, or -1 when even c = 0 is too likely (n too small).
int sign_critical_count(int n, double alpha);

/// [x_(c+1), x_(n-c)]: drops the c smallest and c largest values. Nothing when c < 0, when the two ends would
/// cross, or when a value is NaN. Its confidence is that of a single look, 1 - 2 P(S <= c).
std::optional<Interval> interval_from_count(std::span<const double> values, int c);

/// The narrowest such interval with confidence at least 1 - alpha; nothing when there are too few values
/// (fewer than 6 at alpha = 0.05).
std::optional<Interval> sign_interval(std::span<const double> values, double alpha);

}  // namespace aisp::stats
