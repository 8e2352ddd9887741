// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/migrate.h"

#include <string>

#include "aisp/store/schema.h"

namespace aisp::store {

int schema_version(const Database& database) {
  return static_cast<int>(database.number("PRAGMA user_version"));
}

void refuse_newer(const Database& database) {
  const int version = schema_version(database);
  if (version <= kSchemaVersion) return;
  throw Failure{{ErrorCode::store,
                 "store " + database.path() + ": written by a newer aisp (schema " + std::to_string(version) +
                     ", this program knows " + std::to_string(kSchemaVersion) + ")",
                 "upgrade aisp, or choose another store with AISP_STORE; reading it still works"}};
}

void migrate(const Database& database) {
  refuse_newer(database);
  while (schema_version(database) < kSchemaVersion) {
    Transaction transaction(database);
    // Read again under the lock: another process may have done this step while we waited.
    refuse_newer(database);
    const int next = schema_version(database) + 1;
    if (next > kSchemaVersion) return;
    database.execute(schema_sql(next));
    database.execute(("PRAGMA user_version = " + std::to_string(next)).c_str());
    transaction.commit();
  }
}

std::string altered_part(const Database& database) {
  const Database pattern(":memory:", OpenMode::read_write, std::chrono::milliseconds(0));
  for (int version = 1; version <= schema_version(database); ++version) pattern.execute(schema_sql(version));
  Statement parts =
      pattern.prepare("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'");
  Statement found =
      database.prepare("SELECT 1 FROM sqlite_schema WHERE type = ?1 AND name = ?2 AND sql = ?3");
  while (parts.step()) {
    found.reset();
    if (!found.bind(1, parts.text(0)).bind(2, parts.text(1)).bind(3, parts.text(2)).step()) {
      return parts.text(0) + " " + parts.text(1);
    }
  }
  return {};
}

}  // namespace aisp::store
