// SPDX-License-Identifier: Apache-2.0
/// \file
/// Holm's correction: many comparisons in one table, one chance of a false alarm in the whole table.
///
///   const std::vector<double> adjusted = holm_adjusted(p_values);
///   // reject cell i at level 0.05 when adjusted[i] <= 0.05
///
/// Valid under any dependence between the cells.
#pragma once

#include <span>
#include <vector>

namespace aisp::stats {

/// In the order given. A NaN (no test was possible) stays NaN and still counts as a comparison made.
std::vector<double> holm_adjusted(std::span<const double> p_values);

/// Two-sided p value of the sign test that the median is 0; values equal to 0 count for neither side.
/// 1 for no values, NaN when one is NaN.
double sign_test_p_value(std::span<const double> values);

}  // namespace aisp::stats
