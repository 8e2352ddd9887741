// SPDX-License-Identifier: Apache-2.0
/// \file
/// A database as the store uses it: Database, Statement, Transaction, Snapshot. Failures are thrown
/// (failure.h).
///
///   Database database(path, OpenMode::read_write, std::chrono::seconds(10));
///   Statement rows = database.prepare("SELECT seq FROM events WHERE run = ?1");
///   rows.bind(1, run);
///   while (rows.step()) use(rows.integer(0));
///
/// Knows nothing of events, and not which engine answers (connection.h). Must not be carried over fork().
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "aisp/store/connection.h"
#include "aisp/store/sqlite_connection.h"

namespace aisp::store {

class Statement {
 public:
  explicit Statement(std::unique_ptr<Cursor> cursor) : cursor_(std::move(cursor)) {}

  /// Each throws Failure.
  Statement& bind(int index, std::string_view text) { return cursor_->bind(index, text), *this; }
  Statement& bind(int index, std::int64_t number) { return cursor_->bind(index, number), *this; }
  /// Not an overload of bind(): an int literal must stay a whole number.
  Statement& bind_real(int index, double number) { return cursor_->bind_real(index, number), *this; }
  Statement& bind_null(int index) { return cursor_->bind_null(index), *this; }
  /// True when there is a row; throws Failure.
  bool step() { return cursor_->step(); }
  /// step() for statements without rows.
  void finish() {
    while (step()) {
    }
  }
  /// Ready to be bound and stepped again.
  void reset() { cursor_->reset(); }

  /// Empty for NULL; both throw Failure.
  std::string text(int column) const { return std::string(cursor_->text(column)); }
  std::string_view view(int column) const { return cursor_->text(column); }  ///< until the next step
  std::int64_t integer(int column) const { return cursor_->integer(column); }
  double real(int column) const { return cursor_->real(column); }
  bool is_null(int column) const { return cursor_->is_null(column); }
  bool is_text(int column) const { return cursor_->is_text(column); }

 private:
  std::unique_ptr<Cursor> cursor_;
};

class Database {
 public:
  /// A file of SQLite's.
  Database(const std::filesystem::path& file, OpenMode mode, std::chrono::milliseconds busy_timeout);
  explicit Database(std::unique_ptr<Connection> connection);

  Engine engine() const { return connection_->engine(); }
  void execute(const char* sql) const { connection_->execute(sql); }
  Statement prepare(std::string_view sql, Rows rows = Rows::few) const {
    return Statement(connection_->prepare(sql, rows));
  }
  /// First column of the first row; nothing selected is 0.
  std::int64_t number(std::string_view sql) const;
  std::string word(std::string_view sql) const;
  bool in_transaction() const { return connection_->in_transaction(); }
  /// For messages: a path, or a URL without its password.
  const std::string& path() const { return connection_->name(); }
  /// The rest of what the engine can do.
  Connection& connection() const { return *connection_; }
  /// Only where there is a file; nullptr elsewhere.
  SqliteConnection* sqlite() const { return sqlite_; }

 private:
  std::unique_ptr<Connection> connection_;
  SqliteConnection* sqlite_ = nullptr;
};

/// The write lock is taken before anything is read, so that a chain head cannot go stale.
class Transaction {
 public:
  explicit Transaction(const Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  const Database& database_;
};

/// A read transaction: several questions, one answer in time, whatever other processes write meanwhile.
class Snapshot {
 public:
  explicit Snapshot(const Database& database);
  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

 private:
  const Database& database_;
};

}  // namespace aisp::store
