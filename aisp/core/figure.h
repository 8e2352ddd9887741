// SPDX-License-Identifier: Apache-2.0
/// \file
/// One result in one line: what a variant of a cell came to, without the samples behind it. Stores keep them
/// in a table of their own, and every analysis is a function of a list of them.
///
///   for (Figure& figure : figures_of(cell)) ...   // one for each variant that ran
///
/// Derived from a CellResult and nothing else. Not evidence: a doubt about a figure is settled by its cell.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aisp/core/fields.h"
#include "aisp/core/record.h"

namespace aisp {

struct Figure {
  // What was measured, and on what: two figures are about the same thing when all of these agree.
  std::string hardware, workload, parameters, device;
  CacheMode cache = CacheMode::hot;
  std::string variant;
  // Which measurement of it.
  std::int64_t seq = 0;  ///< of the cell's event; larger is later
  std::string run, finished;
  bool newest = true;  ///< false: something later of the same was measured and is not valid

  Goal goal = Goal::speed;
  Bound bound = Bound::memory;
  Rung rung = Rung::step;
  bool baseline = false;
  Validity validity = Validity::unproven;
  std::optional<Estimate> time_ns;  ///< per call
  std::optional<Estimate> figure;   ///< what the goal compares: ns, items/s, bytes
  std::optional<Estimate> gain;  ///< over the baseline of its own cell, as valid as itself; above 1 is better
  std::string against;           ///< that baseline
  std::optional<Outcome> outcome;
  std::optional<double> peak_bytes;  ///< held by the variant, tensors excluded
  std::optional<double> joules;      ///< per call, by a counter of the machine
  /// Of the joules and the watts, relative: the counter's own, because it moves in steps, and not the spread
  /// between runs.
  std::optional<double> joules_uncertainty;
  std::optional<double> watts;        ///< mean by that counter, while calls followed each other
  std::optional<double> worst_error;  ///< of any answer, as a multiple of the tolerance
  std::optional<double> percent_of_ceiling;
  std::string ceiling;                     ///< which
  std::optional<double> traffic_bytes;     ///< counted at the memory, per call
  double bytes = 0, flops = 0, items = 0;  ///< the declared work of a call
  AISP_FIELDS(hardware, workload, parameters, device, cache, variant, seq, run, finished, newest, goal, bound,
              rung, baseline, validity, time_ns, figure, gain, against, outcome, peak_bytes, joules,
              joules_uncertainty, watts, worst_error, percent_of_ceiling, ceiling, traffic_bytes, bytes,
              flops, items)
};

/// A line for each variant that ran. The hardware, the run and the place in the store are the caller's to
/// fill in.
std::vector<Figure> figures_of(const CellResult& cell);

/// The value of one parameter of "n=1024 threads=2"; nothing when there is none of that name.
std::optional<std::int64_t> parameter(std::string_view parameters, std::string_view name);

}  // namespace aisp
