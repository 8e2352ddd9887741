// SPDX-License-Identifier: Apache-2.0
/// \file
/// What an item costs: the price of an hour, over how many items an hour holds. For the machine it was
/// measured on; for another one only by a stated model.
///
///   CostQuestion question{.prices = table, .gpu = "B200", .bandwidth = rates};
///   for (const Bill& bill : bills(figures, question)) bill.lines;
///
/// The model is the memory side of the roofline: work bound by memory takes time as the bandwidths are, at
/// the same share of the ceiling. Work bound by anything else is refused.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "aisp/analysis/contest.h"
#include "aisp/analysis/prices.h"

namespace aisp::analysis {

struct CostQuestion {
  std::vector<Price> prices;
  std::optional<double> rate;  ///< dollars for an hour of whatever it was measured on, or of `gpu`
  std::string gpu;             ///< a machine that may be another one; empty: the one measured on
  /// Bytes a second that the maker of a machine of this name states; nothing where it is not known.
  std::function<std::optional<double>(const std::string& name)> bandwidth;
};

struct CostLine {
  std::string hardware;  ///< measured on
  std::string variant;
  bool anchor = false;
  std::string machine;  ///< priced
  double dollars_per_hour = 0;
  std::optional<Estimate> time_ns;  ///< of a call, on the priced machine
  double items = 0;                 ///< of a call; 1 where the work is not counted in items
  std::optional<Estimate> dollars_per_item;
  std::string model;  ///< empty: measured there
  std::string needs;  ///< where there is no price
  AISP_FIELDS(hardware, variant, anchor, machine, dollars_per_hour, time_ns, items, dollars_per_item, model,
              needs)
};

/// One workload at one size, on everything it was measured on.
struct Bill {
  std::string workload, parameters;
  std::string item;             ///< "item" or "call"
  std::vector<CostLine> lines;  ///< cheapest first, then those without a price
  AISP_FIELDS(workload, parameters, item, lines)
};

std::vector<Bill> bills(std::span<const Figure> figures, const CostQuestion& question);

}  // namespace aisp::analysis
