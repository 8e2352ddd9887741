// SPDX-License-Identifier: Apache-2.0
/// \file
/// The four drawings of a cell, each an SVG of its own. Each answers one question a reader has:
///
///   plot_times(cell)       how long did each variant take, and how did its samples scatter?
///   plot_speedups(cell)    which differences are proven, and which lie inside the region of equivalence?
///   plot_rounds(cell)      did anything drift, jump or depend on the attempt?
///   plot_latencies(cell)   how are the items of a trace spread up to the slowest?
///
/// A plot with nothing to show is an empty string. Colours mean the variant's place in the ladder (baseline,
/// step, anchor, informational), in plot_rounds the attempt; nothing is told by colour alone.
#pragma once

#include <string>
#include <vector>

#include "aisp/core/record.h"

namespace aisp::report {

std::string plot_times(const CellResult& cell);
/// `equivalence` is half the width of the shaded region around 1.
std::string plot_speedups(const CellResult& cell, double equivalence);
std::string plot_rounds(const CellResult& cell);
std::string plot_latencies(const CellResult& cell);

/// One interval on a scale shared by many rows, small enough for a table cell. `low` and `high` bound the
/// scale.
std::string plot_interval(const RatioEstimate& ratio, double low, double high, double equivalence);

/// CSS class of a variant's place in the ladder: "base", "step", "anchor" or "info".
std::string role_of(const CellResult& cell, const VariantResult& variant);

/// A round number of nanoseconds as an axis writes it: "200 ms", "1.5 µs".
std::string tick_time(double ns);

/// Numbers of the rounds a declared rule discarded, ascending.
std::vector<int> discarded_rounds(const CellResult& cell);

}  // namespace aisp::report
