// SPDX-License-Identifier: Apache-2.0
/// \file
/// How a cell's time is shared: how many calls a timed window holds, and in how many of the rounds a slow
/// rung takes part.
#pragma once

#include <cstddef>
#include <vector>

#include "aisp/harness/cell.h"

namespace aisp::harness {

struct WindowRequest {
  double fastest_call_ns = 0;  ///< of all variants whose answers were right: every one gets the same number,
                               ///< since unequal windows bias a ratio
  std::size_t set_bytes = 0;   ///< of the tensors of one call
  std::size_t tensors = 1;     ///< in a set
  double free_bytes = 0;       ///< of memory
};

/// Calls shorter than this are batched: what the clock can tell apart, and what a scheduler tick does not
/// reach.
double shortest_window_ns();

/// Calls too short for the clock are batched, each on inputs and outputs of its own.
int calls_per_window(const CellSpec& spec, const WindowRequest& request);

/// For each rung, given the time of its window: sampled in one pair of rounds of so many. More than 1 only
/// for a rung that takes half as long again as all others together, where otherwise too few rounds would
/// fit into the cell's time. `besides_ns` is what a round takes beside its windows: leaving a rung out saves
/// none of it.
std::vector<int> sampling_periods(const std::vector<double>& window_ns, double seconds,
                                  double besides_ns = 0);

}  // namespace aisp::harness
