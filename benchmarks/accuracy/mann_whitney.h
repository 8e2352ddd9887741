// SPDX-License-Identifier: Apache-2.0
/// \file
/// The two-sided Mann-Whitney U test, which Google Benchmark's compare.py applies to repetitions of two
/// benchmarks.
///
///   if (mann_whitney_p(first, second) < 0.05) ...   // compare.py would mark a difference
#pragma once

#include <span>

namespace aisp::benchmarks {

/// Exact (counted) for samples without ties, by the normal approximation with continuity and tie correction
/// otherwise. 1 when either sample is empty.
double mann_whitney_p(std::span<const double> first, std::span<const double> second);

}  // namespace aisp::benchmarks
