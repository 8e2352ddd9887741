// SPDX-License-Identifier: Apache-2.0
/// \file
/// One variant over the sizes of one axis, everything else alike: what scaling and models are made of.
///
///   for (const Sweep& sweep : sweeps(figures)) sweep.points;   // n = 1024, 4096, 8192 at threads=1
///
/// Sizes of different days stand side by side here: a sweep is a picture, not a paired comparison.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aisp/analysis/contest.h"

namespace aisp::analysis {

struct SweepPoint {
  std::int64_t at = 0;
  const Figure* figure = nullptr;  ///< valid, with a time
};

struct Sweep {
  Where where;  ///< `parameters` are those that stay: "threads=1"
  std::string variant;
  std::string axis;                ///< "n"
  std::vector<SweepPoint> points;  ///< two or more, ascending
};

/// Parameters in the order in which they are stored.
std::vector<std::pair<std::string, std::int64_t>> parameters_of(const std::string& text);
std::string text_of(const std::vector<std::pair<std::string, std::int64_t>>& parameters);

/// Every axis of every variant that was measured at two sizes or more, or the one that is named.
/// Informational variants too: they may be the ones that show how something scales.
std::vector<Sweep> sweeps(std::span<const Figure> figures, std::string_view axis = {});

}  // namespace aisp::analysis
