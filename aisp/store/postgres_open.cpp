// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/postgres_open.h"

#include "aisp/store/directory.h"
#include "aisp/store/migrate.h"
#include "aisp/store/postgres_connection.h"
#include "aisp/store/postgres_schema.h"

namespace aisp::store {

std::unique_ptr<Database> open_server(const std::string& url, Access access, bool create,
                                      std::chrono::milliseconds busy_timeout) {
  const bool reads = access == Access::read_only;
  auto database = std::make_unique<Database>(std::make_unique<PostgresConnection>(url, reads, busy_timeout));
  const std::string name = "store " + database->path() + ": ";
  if (const std::string encoding = database->word("SHOW server_encoding"); encoding != "UTF8") {
    throw Failure{{ErrorCode::store,
                   name + "the database is encoded in " + encoding + ", which cannot hold all text",
                   "make one with CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0"}};
  }
  // In this order: another process may make both meanwhile, in one transaction.
  const bool events = has_events_table(*database);
  const bool there = has_state(*database);
  if (events && !there) {
    throw Failure{{ErrorCode::store, name + "its tables are those of another program",
                   "choose another database, or a schema of its own with ?options=-csearch_path%3DNAME"}};
  }
  if (!create && !there) throw no_store(database->path());
  if (!reads) migrate(*database);
  return database;
}

std::vector<std::string> server_warnings(const Database& database) {
  if (database.word("SHOW fsync") == "on") return {};
  return {"store " + database.path() +
          ": the server runs with fsync = off; a power cut may take results that it acknowledged"};
}

}  // namespace aisp::store
