// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/database.h"

namespace aisp::store {

Database::Database(const std::filesystem::path& file, OpenMode mode, std::chrono::milliseconds busy_timeout) {
  auto connection = std::make_unique<SqliteConnection>(file, mode, busy_timeout);
  sqlite_ = connection.get();
  connection_ = std::move(connection);
}

Database::Database(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}

std::int64_t Database::number(std::string_view sql) const {
  Statement statement = prepare(sql);
  return statement.step() ? statement.integer(0) : 0;
}

std::string Database::word(std::string_view sql) const {
  Statement statement = prepare(sql);
  return statement.step() ? statement.text(0) : std::string();
}

Snapshot::Snapshot(const Database& database) : database_(database) {
  database_.connection().begin_snapshot();
}

Snapshot::~Snapshot() {
  (void)attempt([&] { database_.connection().roll_back(); });
}

Transaction::Transaction(const Database& database) : database_(database) {
  database_.connection().begin_write();
}

Transaction::~Transaction() {
  if (!database_.in_transaction()) return;  // committed, or rolled back by the engine after an error
  try {
    database_.connection().roll_back();
  } catch (const Failure&) {
    // Nothing more can be done: the connection is unusable and the transaction dies with it.
  }
}

void Transaction::commit() { database_.connection().commit(); }

}  // namespace aisp::store
