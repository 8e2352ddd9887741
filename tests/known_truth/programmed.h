// SPDX-License-Identifier: Apache-2.0
/// \file
/// Variants whose time is known because it was programmed: each call spins on the harness's own clock until a
/// drawn duration has passed. The truth does not depend on the speed of the machine, only on the clock both
/// sides share.
///
///   const Registration registered{programmed("truth/twice", {{"slow", {.ns = 200e3}}, {"fast", {.ns =
///   100e3}}})};
///
/// What the whole round shares (a busy machine) comes from the round's input, so every variant of the round
/// meets the same factor; what a call has of its own comes from a generator inside the variant.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "aisp/core/workload.h"

namespace aisp::known_truth {

struct Programme {
  double ns = 100e3;       ///< median of a call
  double sigma = 0;        ///< of the log: each call's own noise
  bool skewed = false;     ///< the noise only ever adds: exp(|normal|)
  double second_mode = 0;  ///< share of calls that take `second_factor` times as long
  double second_factor = 1;
  double drift_per_round = 0;  ///< relative growth from round to round
  double round_sigma = 0;      ///< of the log: noise that all variants of a round share
};

Workload programmed(std::string id, std::vector<std::pair<std::string, Programme>> variants);

}  // namespace aisp::known_truth
