// SPDX-License-Identifier: Apache-2.0
/// \file
/// Cells made of numbers: what a coordinator would have recorded, without measuring anything. derive() is a
/// pure function of such a cell, so its tests are exact and take no time.
///
///   Fabricated cell;
///   cell.add("base", 24, [](int) { return 200.0; }).add("fast", 24, [](int) { return 100.0; });
///   derive(cell.result, cell.config);
#pragma once

#include <functional>
#include <string>

#include "aisp/core/config.h"
#include "aisp/core/record.h"

namespace aisp::known_truth {

struct Fabricated {
  CellResult result;
  RunConfig config;

  Fabricated();

  /// A variant whose sample in round r (counted over all attempts, three of them in turn) takes time(r), in
  /// every k-th round.
  VariantResult& add(const std::string& name, int rounds, const std::function<double(int)>& time,
                     int every = 1);
  /// The baseline's second sample of each round.
  void add_again(int rounds, const std::function<double(int)>& time);
  void discard(int round, const std::string& why);
};

/// Everything a guard could miss, filled in as a measurement without fault would.
Evidence faultless(const std::string& variant, int rounds);

}  // namespace aisp::known_truth
