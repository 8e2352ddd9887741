// SPDX-License-Identifier: Apache-2.0
/// \file
/// The Hodges-Lehmann estimate: the median of all averages of two values (each with itself included).
///
///   double second_opinion = std::exp(hodges_lehmann(log_ratios));
///
/// More efficient than the median on symmetric noise; on skewed samples it estimates something else, which
/// is why it is shown beside the median and never instead of it.
#pragma once

#include <span>

namespace aisp::stats {

/// O(n log n) time and O(n) memory. NaN for an empty sample or one that holds NaN or an infinity.
double hodges_lehmann(std::span<const double> values);

}  // namespace aisp::stats
