// SPDX-License-Identifier: Apache-2.0
/// \file
/// How time grows with size, from a sweep: the exponent with its interval, and the size beyond which it
/// grows otherwise (a cache is full, an overhead is paid off).
///
///   for (const SizeScaling& each : size_scaling(figures)) each.exponent;   // 3 for a matrix product
///
/// Not for threads and ranks: see team_scaling.h.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "aisp/analysis/sweep.h"

namespace aisp::analysis {

struct TimeAt {
  std::int64_t at = 0;
  Estimate time_ns;
  AISP_FIELDS(at, time_ns)
};

struct Knee {
  std::int64_t at = 0;
  double before = 0, after = 0;  ///< exponents to either side
  double confidence = 0;         ///< that one straight line is not enough, corrected for having searched
  AISP_FIELDS(at, before, after, confidence)
};

struct SizeScaling {
  Where where;  ///< `parameters` are those that stay
  std::string variant, axis;
  std::vector<TimeAt> points;
  std::optional<Estimate> exponent;  ///< of time against size; 95 %, from the line and the points alike
  std::optional<Knee> knee;
  std::string needs;  ///< for what is not there
  AISP_FIELDS(where, variant, axis, points, exponent, knee, needs)
};

/// Three sizes give an exponent, five may show a knee.
inline constexpr std::size_t kSizesForExponent = 3;
inline constexpr std::size_t kSizesForKnee = 5;
/// Exponents closer than this are one.
inline constexpr double kSameExponent = 0.1;

/// Every axis but threads and ranks.
std::vector<SizeScaling> size_scaling(std::span<const Figure> figures);

bool is_team(const std::string& axis);

}  // namespace aisp::analysis
