// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/chain.h"

#include <map>

#include "aisp/store/append.h"
#include "aisp/store/dialect.h"
#include "aisp/store/migrate.h"
#include "aisp/store/schema.h"

namespace aisp::store {
namespace {

class Check {
 public:
  explicit Check(const Database& database) : database_(database), snapshot_(database) {}

  ChainReport run() {
    report_.head = chain_origin();
    declared_pruned();
    Statement rows = database_.prepare("SELECT " AISP_EVENT_COLUMNS " FROM events ORDER BY seq", Rows::many);
    while (rows.step()) {
      const Row row = read_row(rows);
      if (const std::string what = fault_of(row); !what.empty()) {
        report_.broken = BrokenEvent{row.seq, row.event.run, row.event.kind, what};
        return report_;
      }
      ++report_.events;
      report_.pruned += row.event.payload ? 0 : 1;
      note_clock(row.event);
      report_.head = row.hash;
    }
    if (const std::string what = fault_of_store(); !what.empty())
      report_.broken = BrokenEvent{0, "", "", what};
    return report_;
  }

 private:
  /// The event that declares a run pruned; payloads after it must be there.
  void declared_pruned() {
    Statement rows =
        database_.prepare("SELECT run, max(seq) FROM events WHERE kind = 'run_pruned' GROUP BY run");
    while (rows.step()) pruned_at_[rows.text(0)] = rows.integer(1);
  }

  /// Within a run alone: it is of one machine and was written in its order, whatever runs a merge or a
  /// journal put before it.
  void note_clock(const Event& event) {
    if (event.run.empty()) return;
    std::string& last = last_created_[event.run];
    report_.clock_steps += event.created < last ? 1 : 0;
    last = event.created;
  }

  std::string fault_of(const Row& row) const {
    if (row.seq != report_.events + 1) {
      return "event " + std::to_string(report_.events + 1) + " is missing before it";
    }
    if (!row.well_typed) return "it was not written by this program";
    if (!row.event.payload) {
      const auto declared = pruned_at_.find(row.event.run);
      if (declared == pruned_at_.end() || declared->second <= row.seq) {
        return "its payload is gone, and no event says that the run was pruned";
      }
    }
    if (!is_intact(row.event)) return "its content does not match its hash";
    if (row.hash != chain_hash(report_.head, row.event.id)) return "it does not follow the event before it";
    return {};
  }

  std::string fault_of_store() const {
    if (database_.number(events_written(database_.engine())) != report_.events) {
      return "events after " + std::to_string(report_.events) + " are missing";
    }
    if (schema_version(database_) <= kSchemaVersion) {
      if (const std::string part = altered_part(database_); !part.empty())
        return part + " is missing or altered";
    }
    if (database_.engine() != Engine::sqlite) return {};  // how a server lays out its files is its business
    const std::string answer = database_.word("PRAGMA integrity_check(1)");
    return answer == "ok" ? "" : "SQLite: " + answer;
  }

  const Database& database_;
  Snapshot snapshot_;
  std::map<std::string, std::int64_t> pruned_at_;
  std::map<std::string, std::string> last_created_;  ///< by run
  ChainReport report_;
};

}  // namespace

Result<ChainReport> check_chain(Store& store) {
  return attempt([&] { return Check(store.database()).run(); });
}

}  // namespace aisp::store
