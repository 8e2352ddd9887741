// SPDX-License-Identifier: Apache-2.0
/// \file
/// How events become figures: a finished cell adds its own and takes the place of an earlier one of the same
/// run, a pruned run takes its figures away. Every event passes here on its way into the store, in the same
/// transaction; what came past another program is made up for when the store is opened for writing.
///
///   fold_event(database, seq, event);   // from append()
///   update_figures(database);           // from opening
///
/// A fault in a table that can be derived again never keeps a result out of the store.
#pragma once

#include <cstdint>

#include "aisp/store/database.h"
#include "aisp/store/event.h"
#include "aisp/store/store.h"

namespace aisp::store {

/// Inside the transaction that appended the event. Does nothing while earlier events are still missing.
void fold_event(const Database& database, std::int64_t seq, const Event& event);

/// Creates the tables where they are missing or made by other rules, and accounts for every event. In steps
/// of one transaction each: killed anywhere, the next call goes on. Throws Failure.
void update_figures(const Database& database, const CatchingUp& told = {});

/// From the beginning, whatever is there.
void rebuild_figures(const Database& database, const CatchingUp& told = {});

/// Cells whose figures belong into the table, of events AS e: neither pruned nor measured again in their run.
inline constexpr const char* kStandingCells =
    "e.kind = 'cell_finished' AND e.payload IS NOT NULL "
    "AND NOT EXISTS (SELECT 1 FROM events AS p WHERE p.run = e.run AND p.kind = 'run_pruned' AND p.seq > "
    "e.seq) "
    "AND NOT EXISTS (SELECT 1 FROM events AS l WHERE l.run = e.run AND l.kind = 'cell_finished' "
    "AND l.workload = e.workload AND l.parameters = e.parameters AND l.device = e.device AND l.seq > e.seq)";

}  // namespace aisp::store
