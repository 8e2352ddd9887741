// SPDX-License-Identifier: Apache-2.0
/// \file
/// Figures in and out of their tables.
///
///   for (const Figure& figure : figures_in(seq, event)) insert_figure(database, figure);
///
/// Does not know which events count: see figures_fold.h.
#pragma once

#include <string>
#include <vector>

#include "aisp/core/figure.h"
#include "aisp/store/database.h"
#include "aisp/store/event.h"

namespace aisp::store {

/// Of a finished cell; nothing for other events, without a payload, and for one that cannot be read.
std::vector<Figure> figures_in(std::int64_t seq, const Event& event);

void insert_figure(const Database& database, const Figure& figure);

/// Columns in the order read_figure() expects, from figure_keys AS k and figures AS f.
#define AISP_FIGURE_COLUMNS                                                                                \
  "k.hardware, k.workload, k.parameters, k.device, k.cache, k.variant, f.seq, f.run, f.finished, f.goal, " \
  "f.bound, f.rung, f.baseline, f.validity, f.time, f.time_low, f.time_high, f.figure, f.figure_low, "     \
  "f.figure_high, f.gain, f.gain_low, f.gain_high, f.against, f.outcome, f.peak_bytes, f.joules, "         \
  "f.worst_error, f.percent_of_ceiling, f.ceiling, f.traffic_bytes, f.bytes, f.flops, f.items"

/// `newest` stays as it is by default.
Figure read_figure(const Statement& row);

}  // namespace aisp::store
