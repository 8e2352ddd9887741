// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/merge.h"

#include <algorithm>
#include <map>
#include <set>

#include "aisp/store/append.h"
#include "aisp/store/chain.h"
#include "aisp/store/database.h"
#include "aisp/store/migrate.h"
#include "aisp/wire/json.h"

namespace aisp::store {
namespace {

/// More names would hide what to do about them.
constexpr std::size_t kNamed = 10;

/// Of one run, but for what says that it was pruned: that changes no content.
std::set<std::string> events_of(const Database& database, const std::string& run) {
  Statement rows = database.prepare("SELECT id FROM events WHERE run = ?1 AND kind <> 'run_pruned'");
  rows.bind(1, run);
  std::set<std::string> ids;
  while (rows.step()) ids.insert(rows.text(0));
  return ids;
}

bool contains_all(const std::set<std::string>& all, const std::set<std::string>& part) {
  return std::ranges::includes(all, part);
}

/// Takes over one store after the other, inside a transaction of the caller.
class Merging {
 public:
  explicit Merging(const Database& into) : into_(into) {}

  void take(Store& store) {
    const Database& from = store.database();
    const Snapshot snapshot(from);
    std::map<std::string, bool> runs_here;  // runs of `from`: whether this store has them already
    Statement rows = from.prepare("SELECT " AISP_EVENT_COLUMNS " FROM events ORDER BY seq", Rows::many);
    while (rows.step()) {
      const Row row = read_row(rows);
      // What was lost in the other file says nothing about this one.
      if (row.event.kind == kStoreRecovered) continue;
      const std::string& run = row.event.run;
      if (!run.empty() && !runs_here.contains(run))
        runs_here[run] = compare(from, run, store.file().string());
      if (!conflicts_.empty()) continue;  // nothing will be kept; only the names are of interest
      // Pruned there is not pruned here, where the contents are. What was added to the run there and then
      // lost its contents stays away with the event that says why: without it the chain here would not hold.
      const bool emptied = row.event.kind == kRunPruned || !row.event.payload;
      if (emptied && runs_here[run]) continue;
      const bool added = append(into_, row.event);
      (added ? report_.events : report_.known) += 1;
      if (added && row.event.kind == kRunStarted && row.event.payload) report_.runs.push_back(run);
    }
  }

  /// Throws when a run was found here with other contents.
  MergeReport finished() const {
    if (conflicts_.empty()) return report_;
    std::string names;
    for (std::size_t i = 0; i < std::min(kNamed, conflicts_.size()); ++i)
      names += (i == 0 ? "" : ", ") + conflicts_[i];
    if (conflicts_.size() > kNamed) names += " and " + std::to_string(conflicts_.size() - kNamed) + " more";
    throw Failure{{ErrorCode::store, "same run id, other contents: " + names,
                   "nothing was merged; `aisp show` the run in both stores, and keep one of them out of it"}};
  }

 private:
  /// True when the run is here. It may have gone on in one of the two places; what went on in both, or began
  /// in both, is two runs under one name, and loading would mix their cells.
  bool compare(const Database& from, const std::string& run, const std::string& name) {
    const std::set<std::string> here = events_of(into_, run);
    if (here.empty()) return false;
    const std::set<std::string> there = events_of(from, run);
    if (!contains_all(here, there) && !contains_all(there, here))
      conflicts_.push_back(printable_utf8(run) + " of " + name);
    return true;
  }

  const Database& into_;
  MergeReport report_;
  std::vector<std::string> conflicts_;
};

}  // namespace

Result<MergeReport> merge(Store& into, std::span<Store* const> from) {
  for (Store* store : from) {
    const Result<ChainReport> chain = check_chain(*store);
    if (!chain) return chain.error();
    if (!chain->broken) continue;
    return Error{
        ErrorCode::store,
        store->file().string() + ": event " + std::to_string(chain->broken->seq) + ": " + chain->broken->what,
        "only a store that passes `aisp store check` is merged"};
  }
  return attempt([&] {
    const Database& database = into.database();
    Transaction transaction(database);
    refuse_newer(database);
    Merging merging(database);
    for (Store* store : from) merging.take(*store);
    MergeReport report = merging.finished();
    transaction.commit();
    return report;
  });
}

Result<MergeReport> merge(Store& into, Store& from) {
  Store* const one[] = {&from};
  return merge(into, one);
}

}  // namespace aisp::store
