// SPDX-License-Identifier: Apache-2.0
/// \file
/// The SQLite C API as three small owners: Database, Statement, Transaction. Failures are thrown (failure.h).
///
///   Database database(path, OpenMode::read_write, std::chrono::seconds(10));
///   Statement rows = database.prepare("SELECT seq FROM events WHERE run = ?1");
///   rows.bind(1, run);
///   while (rows.step()) use(rows.integer(0));
///
/// Knows nothing of events. A connection must not be carried over fork().
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "aisp/store/failure.h"

struct sqlite3;
struct sqlite3_stmt;

namespace aisp::store {

enum class OpenMode {
  read_write,  ///< the file must exist
  query_only,  ///< opened for writing so that the write-ahead log is tidied up, but every change is refused
  read_only,
  immutable,  ///< no locks, no log: for media on which nothing can be created
};

class Statement {
 public:
  Statement(sqlite3* database, const std::string& path, std::string_view sql);

  /// Each throws Failure.
  Statement& bind(int index, std::string_view text);
  Statement& bind(int index, std::int64_t number);
  /// Not an overload of bind(): an int literal must stay a whole number.
  Statement& bind_real(int index, double number);
  Statement& bind_null(int index);
  /// True when there is a row; throws Failure.
  bool step();
  /// step() for statements without rows.
  void finish() {
    while (step()) {
    }
  }
  /// Ready to be bound and stepped again.
  void reset();

  std::string text(int column) const;  ///< empty for NULL; throws Failure
  std::int64_t integer(int column) const;
  double real(int column) const;
  bool is_null(int column) const;
  bool is_text(int column) const;

 private:
  struct Finalise {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement& bound(int code);

  sqlite3* database_;
  std::string path_;
  std::unique_ptr<sqlite3_stmt, Finalise> statement_;
};

class Database {
 public:
  Database(const std::filesystem::path& file, OpenMode mode, std::chrono::milliseconds busy_timeout);

  void execute(const char* sql) const;
  Statement prepare(std::string_view sql) const { return {handle_.get(), path_, sql}; }
  /// First column of the first row; nothing selected is 0.
  std::int64_t number(std::string_view sql) const;
  std::string word(std::string_view sql) const;
  bool in_transaction() const;
  /// Leaves the log where it is when this connection closes: a damaged file must stay as it was found.
  void keep_log_on_close() const;
  /// Size of the main file and its first bytes, read through SQLite's own descriptor. Opening and closing the
  /// file anywhere else in this process would drop the POSIX locks of every connection to it.
  std::int64_t file_size() const;
  std::string head(int bytes) const;

  const std::string& path() const { return path_; }
  /// Takes the write lock, after those that waited for it while this connection held it.
  void begin_write() const;
  void end_write(const char* sql) const;

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  std::string path_;
  std::unique_ptr<std::chrono::milliseconds> busy_timeout_;  ///< stable address for the busy handler
  std::unique_ptr<sqlite3, Close> handle_;
  mutable std::chrono::steady_clock::time_point released_{};  ///< when this connection last gave up the lock
};

/// BEGIN IMMEDIATE: the write lock is taken before anything is read, so that a chain head cannot go stale.
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
  explicit Snapshot(const Database& database) : database_(database) { database_.execute("BEGIN"); }
  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

 private:
  const Database& database_;
};

}  // namespace aisp::store
