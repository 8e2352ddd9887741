// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/postgres_schema.h"

#include <array>

namespace aisp::store {
namespace {

struct Trigger {
  std::string_view name;
  std::string_view when;
  std::string_view body;
};

// The same promises as those of the file's triggers (schema.cpp). Counting in the insert's own transaction
// also keeps apart two programs that do not know of the advisory lock: the row of the count is locked by the
// first.
constexpr std::array kTriggers{
    Trigger{"events_only_appended", "BEFORE INSERT ON events FOR EACH ROW", R"sql(
BEGIN
  UPDATE aisp_store SET written = NEW.seq;
  IF NEW.seq IS DISTINCT FROM (SELECT coalesce(max(seq), 0) + 1 FROM events) THEN
    RAISE EXCEPTION 'events are only appended';
  END IF;
  RETURN NEW;
END
)sql"},
    Trigger{"events_never_deleted", "BEFORE DELETE ON events FOR EACH ROW", R"sql(
BEGIN
  RAISE EXCEPTION 'events are never deleted';
END
)sql"},
    Trigger{kTruncateTrigger, "BEFORE TRUNCATE ON events FOR EACH STATEMENT", R"sql(
BEGIN
  RAISE EXCEPTION 'events are never deleted';
END
)sql"},
    Trigger{"events_never_changed", "BEFORE UPDATE ON events FOR EACH ROW", R"sql(
BEGIN
  IF NEW.payload IS NOT NULL
    OR (NEW.seq, NEW.id, NEW.run, NEW.kind, NEW.workload, NEW.parameters, NEW.device, NEW.hardware,
        NEW.validity, NEW.created, NEW.nonce, NEW.payload_hash, NEW.hash)
      IS DISTINCT FROM
       (OLD.seq, OLD.id, OLD.run, OLD.kind, OLD.workload, OLD.parameters, OLD.device, OLD.hardware,
        OLD.validity, OLD.created, OLD.nonce, OLD.payload_hash, OLD.hash)
    OR NOT EXISTS (SELECT 1 FROM events AS p
                   WHERE p.run = OLD.run AND p.kind = 'run_pruned' AND p.seq > OLD.seq) THEN
    RAISE EXCEPTION 'events are never changed';
  END IF;
  RETURN NEW;
END
)sql"},
};

/// Asks the catalogue itself. to_regclass() alone answers from what the session remembers, and after a wait
/// for the writers' lock that may be older than a table which the one before has made.
bool has_table(const Database& database, std::string_view name) {
  Statement found = database.prepare(
      "SELECT 1 FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace "
      "WHERE n.nspname = current_schema() AND c.relname = ?1");
  return found.bind(1, name).step();
}

}  // namespace

std::string postgres_state_sql() {
  return "CREATE TABLE aisp_store (version BIGINT NOT NULL, written BIGINT NOT NULL);"
         "INSERT INTO aisp_store VALUES (0, 0);";
}

std::string postgres_triggers_sql() {
  std::string sql;
  for (const Trigger& trigger : kTriggers) {
    const std::string name(trigger.name);
    // The path of whoever inserts may lead elsewhere.
    sql += "CREATE FUNCTION " + name +
           "() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$";
    sql += trigger.body;
    sql += "$body$; CREATE TRIGGER " + name + " ";
    sql += trigger.when;
    sql += " EXECUTE FUNCTION " + name + "();";
  }
  return sql;
}

std::string_view trigger_body(std::string_view trigger) {
  for (const Trigger& each : kTriggers) {
    if (each.name == trigger) return each.body;
  }
  return {};
}

bool has_state(const Database& database) { return has_table(database, "aisp_store"); }
bool has_events_table(const Database& database) { return has_table(database, "events"); }

}  // namespace aisp::store
