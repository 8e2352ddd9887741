// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/merge.h"

#include <set>

#include "aisp/store/append.h"
#include "aisp/store/chain.h"
#include "aisp/store/database.h"
#include "aisp/store/migrate.h"

namespace aisp::store {
Result<MergeReport> merge(Store& into, Store& from) {
  const Result<ChainReport> chain = check_chain(from);
  if (!chain) return chain.error();
  if (chain->broken) {
    return Error{
        ErrorCode::store,
        from.file().string() + ": event " + std::to_string(chain->broken->seq) + ": " + chain->broken->what,
        "only a store that passes `aisp store check` is merged"};
  }
  return attempt([&] {
    const Database& database = into.database();
    MergeReport report;
    std::set<std::string> here;  // runs that this store has already
    Transaction transaction(database);
    refuse_newer(database);
    Statement rows = from.database().prepare("SELECT " AISP_EVENT_COLUMNS " FROM events ORDER BY seq");
    while (rows.step()) {
      const Row row = read_row(rows);
      // What was lost in the other file says nothing about this one.
      if (row.event.kind == kStoreRecovered) continue;
      // Pruned there is not pruned here, where the contents are. What was added to the run there and then
      // lost its contents stays away with the event that says why: without it the chain here would not hold.
      const bool emptied = row.event.kind == kRunPruned || !row.event.payload;
      if (emptied && here.contains(row.event.run)) continue;
      const bool added = append(database, row.event);
      (added ? report.events : report.known) += 1;
      if (row.event.kind != kRunStarted) continue;
      if (!added) here.insert(row.event.run);
      if (added && row.event.payload) report.runs.push_back(row.event.run);
    }
    transaction.commit();
    return report;
  });
}

}  // namespace aisp::store
