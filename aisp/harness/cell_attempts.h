// SPDX-License-Identifier: Apache-2.0
/// \file
/// What cells of one build and of two have in common: what their workers are told, when sampling may end, and
/// how an attempt's beginning and end are written down.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "aisp/core/config.h"
#include "aisp/core/record.h"
#include "aisp/harness/cell.h"
#include "aisp/harness/plan.h"
#include "aisp/harness/worker_process.h"

namespace aisp::harness {

inline constexpr int kFewestRounds = 12;  ///< fewer support no interval worth having; the cap waits for them,
inline constexpr double kPatience = 4;    ///< up to this many times the cell's time

CellSpec spec_of(const PlannedCell& cell, const RunConfig& config, const std::string& scratch);
/// Without a limit in the configuration a worker may hold nine tenths of what is free now, so that a variant
/// that takes all memory is ended for that, and not the machine.
WorkerLimits limits_of(const RunConfig& config);
/// What workers need for the device they measure on.
std::vector<std::pair<std::string, std::string>> environment_of(const RunConfig& config);

/// The cell's time is spent, and every variant has the fewest rounds that support an interval worth having (a
/// rung sampled in every k-th round too) or the time was stretched far enough for them.
bool time_is_up(const CellResult& cell, int rounds, double seconds, const RunConfig& config);

/// Adds a record of an attempt that begins now and returns its index.
std::size_t begin_attempt(CellResult& cell, int number);
void finish_attempt(AttemptRecord& record);
/// `variant`: whose code ran, as the cell calls it.
void end_attempt(AttemptRecord& record, const WorkerEnd& end, const std::string& variant);
/// Those still running: nothing is wrong with them, but the cell begins again.
void abandon_attempts(CellResult& cell);

/// How a worker ended that did not answer as it should. One that says no in the middle of a cell has ended
/// too.
WorkerEnd end_of(const Answer& answer);

}  // namespace aisp::harness
