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

}  // namespace aisp::store
