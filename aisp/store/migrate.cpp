// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/migrate.h"

#include <string>

#include "aisp/store/parts.h"
#include "aisp/store/postgres_schema.h"
#include "aisp/store/schema.h"

namespace aisp::store {

int schema_version(const Database& database) {
  if (database.engine() == Engine::sqlite) return static_cast<int>(database.number("PRAGMA user_version"));
  return has_state(database) ? static_cast<int>(database.number("SELECT version FROM aisp_store")) : 0;
}

void set_schema_version(const Database& database, int version) {
  const std::string number = std::to_string(version);
  const bool sqlite = database.engine() == Engine::sqlite;
  database.execute(
      (sqlite ? "PRAGMA user_version = " + number : "UPDATE aisp_store SET version = " + number).c_str());
}

void refuse_newer(const Database& database) {
  const int version = schema_version(database);
  if (version <= kSchemaVersion) return;
  throw Failure{{ErrorCode::store,
                 "store " + database.path() + ": written by a newer aisp (schema " + std::to_string(version) +
                     ", this program knows " + std::to_string(kSchemaVersion) + ")",
                 "upgrade aisp, or choose another store with --store or AISP_STORE; reading it still works"}};
}

void migrate(const Database& database) {
  refuse_newer(database);
  while (schema_version(database) < kSchemaVersion) {
    Transaction transaction(database);
    // Read again under the lock: another process may have done this step while we waited.
    refuse_newer(database);
    const int next = schema_version(database) + 1;
    if (next > kSchemaVersion) return;
    database.execute(schema_sql(database.engine(), next).c_str());
    set_schema_version(database, next);
    transaction.commit();
  }
}

std::string altered_part(const Database& database) {
  const Database pattern(":memory:", OpenMode::read_write, std::chrono::milliseconds(0));
  for (int version = 1; version <= schema_version(database); ++version)
    pattern.execute(schema_sql(Engine::sqlite, version).c_str());
  Statement parts =
      pattern.prepare("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'");
  while (parts.step()) {
    const Part part{parts.text(0), parts.text(1), parts.text(2)};
    if (!has_part(database, part)) return part.type + " " + part.name;
  }
  if (database.engine() == Engine::postgres && !has_part(database, {"trigger", kTruncateTrigger, ""}))
    return std::string("trigger ") + kTruncateTrigger;
  return {};
}

}  // namespace aisp::store
