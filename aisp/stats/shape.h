// SPDX-License-Identifier: Apache-2.0
/// \file
/// Two questions about the shape of a series of times: does it have two modes, and does it drift?
///
///   const Bimodality b = bimodality(times);
///   if (b.bimodal) note("{:.0%} of the rounds ran {:.1%} slower", b.high_share, b.high / b.low - 1);
///   const Drift d = drift(times);
///   if (d.drifting) note("{:+.1%} from the first to the last tenth", d.change);
///
/// Both are reported beside a result. Neither ever discards a value or changes an interval.
#pragma once

#include <span>

namespace aisp::stats {

struct Bimodality {
  double dip = 0;         ///< Hartigan's dip, in [0, 0.25]; 0 when there is too little to say
  double p_value = 1;     ///< against a uniform sample, the least favourable of all with one mode
  bool bimodal = false;   ///< p_value < 0.05: called so are 1 in 20 flat samples, 1 in 200 normal ones
  double low = 0;         ///< mean of the lower cluster of the best split in two
  double high = 0;        ///< mean of the upper one
  double high_share = 0;  ///< part of the values in the upper one
};

/// Order does not matter. Ties within 0.5 % of the median are taken for the clock's step and spread out,
/// because a coarse clock is not a second mode. Fewer than 10 values, NaN or infinity: too little to say.
Bimodality bimodality(std::span<const double> values);

struct Drift {
  double correlation = 0;  ///< Spearman's, of value against position
  double p_value = 1;      ///< two-sided; too small where neighbours are autocorrelated
  bool drifting = false;   ///< p_value < 0.01
  double change = 0;       ///< median of the last tenth (at least 3 values) over that of the first, minus 1
};

/// values in order of time. Fewer than 6 values, NaN or infinity: too little to say.
Drift drift(std::span<const double> values);

}  // namespace aisp::stats
