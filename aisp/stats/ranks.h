// SPDX-License-Identifier: Apache-2.0
/// \file
/// Ranks from 1 to n, ties sharing the average of theirs: the first step of every rank test here.
///
///   mid_ranks({30, 10, 20, 20})   // 4, 1, 2.5, 2.5
///
/// Values must not hold NaN: callers settle that first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace aisp::stats {

std::vector<double> mid_ranks(std::span<const double> values);
/// Twice these: whole numbers, ties or not.
std::vector<std::int32_t> whole_ranks(std::span<const double> values);

/// Pearson correlation of two equally long series; 0 when either is constant.
double correlation(std::span<const double> x, std::span<const double> y);

/// True when no value is NaN or infinite.
bool all_finite(std::span<const double> values);

}  // namespace aisp::stats
