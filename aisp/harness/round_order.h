// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whose turn it is in a round: every variant that is due, one of them twice for the A/A calibration, and the
/// ceiling where there is one, in an order that nobody can foresee and over which a linear drift cancels.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "aisp/harness/contestant.h"
#include "aisp/harness/seed.h"

namespace aisp::harness {

/// A turn in a round.
struct Slot {
  Contestant* contestant;  ///< none: the ceiling's
  bool again;              ///< the second turn of the variant that has two
};

/// Who takes part.
struct Turns {
  std::span<const std::unique_ptr<Contestant>> contestants;
  const Contestant* twice = nullptr;
  bool ceiling = false;
};

/// Forward in one round, backward in the next: a linear drift cancels over the pair. A rung that is sampled
/// rarely is sampled in whole pairs, for the same reason. `local_round` counts within the attempt.
std::vector<Slot> round_order(const Turns& turns, const Seed& seed, int local_round);

}  // namespace aisp::harness
