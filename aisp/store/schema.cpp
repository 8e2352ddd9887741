// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/schema.h"

#include "aisp/core/check.h"
#include "aisp/store/dialect.h"
#include "aisp/store/postgres_schema.h"

namespace aisp::store {
namespace {

// The triggers make the table append-only for every program that opens it, not only for this one. The single
// change they admit is the erasure of a payload whose run an earlier event declares pruned. The insert
// trigger also stops INSERT OR REPLACE, which deletes without firing delete triggers. The payload comes last:
// the other columns then lie in the row's own page, and scans skip the overflow pages.
constexpr const char* kVersion1 = R"sql(
CREATE TABLE events (
  seq          INTEGER PRIMARY KEY AUTOINCREMENT,
  id           TEXT NOT NULL,
  run          TEXT NOT NULL,
  kind         TEXT NOT NULL,
  workload     TEXT NOT NULL,
  parameters   TEXT NOT NULL,
  device       TEXT NOT NULL,
  hardware     TEXT NOT NULL,
  validity     TEXT NOT NULL,
  created      TEXT NOT NULL,
  nonce        TEXT NOT NULL,
  payload_hash TEXT NOT NULL,
  hash         TEXT NOT NULL,
  payload      TEXT
);
CREATE UNIQUE INDEX events_by_id ON events(id);
CREATE INDEX events_by_run ON events(run, kind, workload, parameters, validity);
CREATE INDEX run_starts ON events(kind) WHERE kind = 'run_started';
)sql";

constexpr const char* kTriggers1 = R"sql(
CREATE TRIGGER events_only_appended BEFORE INSERT ON events
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM events)
  OR EXISTS (SELECT 1 FROM events WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'events are only appended'); END;
CREATE TRIGGER events_never_deleted BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
CREATE TRIGGER events_never_changed BEFORE UPDATE ON events
WHEN NEW.payload IS NOT NULL
  OR NEW.seq IS NOT OLD.seq OR NEW.id IS NOT OLD.id OR NEW.run IS NOT OLD.run OR NEW.kind IS NOT OLD.kind
  OR NEW.workload IS NOT OLD.workload OR NEW.parameters IS NOT OLD.parameters OR NEW.device IS NOT OLD.device
  OR NEW.hardware IS NOT OLD.hardware OR NEW.validity IS NOT OLD.validity OR NEW.created IS NOT OLD.created
  OR NEW.nonce IS NOT OLD.nonce OR NEW.payload_hash IS NOT OLD.payload_hash OR NEW.hash IS NOT OLD.hash
  OR NOT EXISTS (SELECT 1 FROM events AS p WHERE p.run = OLD.run AND p.kind = 'run_pruned' AND p.seq > OLD.seq)
BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
)sql";

// Questions across runs: what did this workload do on this hardware, what happened on this hardware.
constexpr const char* kVersion2 = R"sql(
CREATE INDEX cells_by_workload ON events(workload, hardware) WHERE kind = 'cell_finished';
CREATE INDEX cells_by_hardware ON events(hardware) WHERE kind = 'cell_finished';
CREATE INDEX ceilings_by_hardware ON events(hardware) WHERE kind = 'ceilings_measured';
)sql";

}  // namespace

std::string schema_sql(Engine engine, int version) {
  AISP_CHECK(version >= 1 && version <= kSchemaVersion, "only known schema versions have SQL");
  if (version == 2) return table_definition(engine, kVersion2);
  const std::string tables = table_definition(engine, kVersion1);
  return engine == Engine::sqlite ? tables + kTriggers1
                                  : postgres_state_sql() + tables + postgres_triggers_sql();
}

}  // namespace aisp::store
