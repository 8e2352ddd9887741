// SPDX-License-Identifier: Apache-2.0
/// \file
/// What was sampled beside a variant that later ended its worker. The others are measured again without it,
/// under the conditions they are reported with; the first samples count for nothing but stay in the record,
/// as every raw sample does.
///
///   earlier.take(cell, "tiled");      // rounds and samples leave the cell, which starts over
///   ask({.first_round = earlier.next_round() + rounds});
///   earlier.put_back(cell);           // as discarded rounds, before the verdict is derived
#pragma once

#include <string>

#include "aisp/core/record.h"

namespace aisp::harness {

class EarlierRounds {
 public:
  void take(CellResult& cell, const std::string& without);
  /// Before the rounds that count.
  void put_back(CellResult& cell) const;
  /// Rounds are numbered on, so that a number names one round of the cell.
  int next_round() const { return kept_.rounds.empty() ? 0 : kept_.rounds.back().round + 1; }

 private:
  CellResult kept_;  ///< rounds and samples only
};

}  // namespace aisp::harness
