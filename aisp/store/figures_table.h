// SPDX-License-Identifier: Apache-2.0
/// \file
/// The table of figures: one short row for each variant of each finished cell, so that a question across a
/// million results does not open their payloads. Derived from the events, and never part of their chain.
///
///   if (!figures_are_current(database)) update_figures(database);   // figures_fold.h
///
/// No part of the schema versions either: whatever is missing, altered or made by other rules is dropped and
/// derived again, and programs that do not know the table may go on writing events beside it.
#pragma once

#include <cstdint>

#include "aisp/store/database.h"

namespace aisp::store {

/// Raise it with every change of figures_of() (core/figure.h) or of the columns.
inline constexpr int kFiguresVersion = 3;

struct FiguresState {
  bool usable = false;       ///< the tables are as this program makes them, by its rules
  std::int64_t through = 0;  ///< the last event they account for
};
FiguresState figures_state(const Database& database);

/// Usable, and through the last event.
bool figures_are_current(const Database& database);

/// Empty tables in place of whatever is there. Inside a transaction of the caller, or in memory.
void make_figures_tables(const Database& database);

/// The tables account for events up to this one.
void set_figures_through(const Database& database, std::int64_t seq);

}  // namespace aisp::store
