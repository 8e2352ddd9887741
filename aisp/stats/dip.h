// SPDX-License-Identifier: Apache-2.0
/// \file
/// Hartigan's dip: how far the sample's distribution function is from the nearest one with a single mode.
///
///   const double d = dip(sorted_values);          // 1 / (2 n) at the least, 1 / 4 for two far apart spikes
///   const double p = dip_p_value(d, n);
///
/// J. A. Hartigan and P. M. Hartigan, "The dip test of unimodality", Annals of Statistics 13 (1985).
/// shape.h is the question people ask; this is the arithmetic.
#pragma once

#include <span>

namespace aisp::stats {

/// ascending: finite values in order. 0 for fewer than 2.
double dip(std::span<const double> ascending);

/// Probability of at least this dip in a uniform sample of n, from a simulated table; between 0.001 and 1
/// (p values above 0.5 are reported as 1, those below 0.001 as 0.001).
double dip_p_value(double dip, int n);

}  // namespace aisp::stats
