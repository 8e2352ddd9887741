// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a million tokens cost: electricity, the hardware's share, and whatever else runs by the hour.
///
///   Result<TokenCost> c = cost_per_token({.watts = 800, .tokens_per_second = 1500, .price_per_kwh = 0.16});
///   c->electricity;   // 0.0237 a million tokens
///
/// Money has whatever currency the prices are in. Formulas with a worked example: docs/handbook/sizing.md.
#pragma once

#include "aisp/core/result.h"

namespace aisp::analysis {

struct ServingCosts {
  double watts = 0;              ///< drawn while serving; 0 where the hourly cost holds it
  double tokens_per_second = 0;  ///< while serving
  double price_per_kwh = 0;
  double utilisation = 1;     ///< share of the time that it serves
  double idle_watts = 0;      ///< drawn in the rest of the time
  double facility = 1;        ///< power drawn by the site for each watt of the machine (PUE)
  double hardware_price = 0;  ///< paid once; 0 = not counted
  double years = 0;           ///< over which it is paid back
  double hourly = 0;          ///< everything else, by the hour
};

/// Money for a million tokens, but for the first three.
struct TokenCost {
  double served_seconds = 0;  ///< for a million tokens
  double owned_seconds = 0;   ///< with its share of the time in which nothing is served
  double kwh = 0;             ///< for a million tokens, at the meter
  double electricity = 0, amortisation = 0, hourly = 0, total = 0;
};

inline constexpr double kSecondsPerYear = 365.25 * 24 * 3600;

Result<TokenCost> cost_per_token(const ServingCosts& costs);

}  // namespace aisp::analysis
