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
#include "aisp/core/kept_names.h"
#include "aisp/store/database.h"
#include "aisp/store/event.h"
#include "aisp/store/past_figures.h"

namespace aisp::store {

/// Columns in the order read_figure() expects: what it is about, of `k`, and what it came to, of `f`.
#define AISP_FIGURE_KEY "k.workload, k.hardware, k.device, k.parameters, k.cache, k.variant, "
#define AISP_FIGURE_COLUMNS                                                                                 \
  "f.seq, f.run, f.finished, f.goal, f.bound, f.rung, f.baseline, f.validity, f.time, f.time_low, "         \
  "f.time_high, f.figure, f.figure_low, f.figure_high, f.gain, f.gain_low, f.gain_high, f.against, "        \
  "f.outcome, f.peak_bytes, f.joules, f.joules_uncertainty, f.watts, f.worst_error, f.percent_of_ceiling, " \
  "f.ceiling, f.traffic_bytes, f.bytes, f.flops, f.items"

/// Columns in the order read_past_figure() expects.
#define AISP_PAST_COLUMNS \
  "seq, run, finished, goal, validity, figure, figure_low, figure_high, time, time_low, time_high"

/// Of a finished cell; nothing for other events, without a payload, and for one that cannot be read.
std::vector<Figure> figures_in(std::int64_t seq, const Event& event);

/// Into the history and, where it is the latest, in the place of the one before.
void insert_figure(const Database& database, const Figure& figure);

/// Makes the latest figure of a key agree with its history; a key without any goes.
void refresh_latest(const Database& database, std::int64_t key);

/// Selects every row that latest_figures must hold, for one key with `k.id = ?1` behind it.
std::string latest_of_history(Engine engine);

/// From AISP_FIGURE_KEY, whether it is the newest, AISP_FIGURE_COLUMNS.
Figure read_figure(const Statement& row);
/// From AISP_PAST_COLUMNS; the names of runs, which repeat, go into `runs`.
PastFigure read_past_figure(const Statement& row, KeptNames& runs);

}  // namespace aisp::store
