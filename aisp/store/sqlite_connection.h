// SPDX-License-Identifier: Apache-2.0
/// \file
/// The store's database in one file. Beside what every engine does (connection.h), it gives the looks into
/// the file that finding damage needs.
///
///   SqliteConnection connection(path, OpenMode::read_write, std::chrono::seconds(10));
///
/// A connection must not be carried over fork().
#pragma once

#include <chrono>
#include <filesystem>

#include "aisp/store/connection.h"

struct sqlite3;

namespace aisp::store {

enum class OpenMode {
  read_write,  ///< the file must exist
  query_only,  ///< opened for writing so that the write-ahead log is tidied up, but every change is refused
  read_only,
  immutable,  ///< no locks, no log: for media on which nothing can be created
};

class SqliteConnection final : public Connection {
 public:
  SqliteConnection(const std::filesystem::path& file, OpenMode mode, std::chrono::milliseconds busy_timeout);

  Engine engine() const override { return Engine::sqlite; }
  const std::string& name() const override { return path_; }
  void execute(const char* sql) override;
  std::unique_ptr<Cursor> prepare(std::string_view sql, Rows rows) override;
  bool in_transaction() const override;
  void begin_write() override;
  void commit() override;
  void begin_snapshot() override { begin("BEGIN"); }
  void roll_back() override;

  /// Leaves the log where it is when this connection closes: a damaged file must stay as it was found.
  void keep_log_on_close();
  /// Size of the main file and some of its bytes, read through SQLite's own descriptor. Opening and closing
  /// the file anywhere else in this process would drop the POSIX locks of every connection to it.
  std::int64_t file_size() const;
  std::string bytes_at(std::int64_t at, int bytes) const;
  std::string head(int bytes) const { return bytes_at(0, bytes); }

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  void begin(const char* sql);

  std::string path_;
  std::chrono::milliseconds busy_timeout_;  ///< the busy handler has its address: never moved
  std::unique_ptr<sqlite3, Close> handle_;
  /// Made before a transaction begins: ending one must not need memory, or the connection would stay in it.
  std::unique_ptr<Cursor> rollback_;
  std::chrono::steady_clock::time_point released_{};  ///< when this connection last gave up the lock
};

}  // namespace aisp::store
