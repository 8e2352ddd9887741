// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/sqlite_connection.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <thread>

#include <sqlite3.h>

#include "aisp/store/one_line.h"

namespace aisp::store {
namespace {

Failure failure_of(int code, const std::string& detail, const std::string& path) {
  const auto error = [&](ErrorCode kind, const std::string& cause, const std::string& hint) {
    return Error{kind, "store " + path + ": " + cause, hint};
  };
  switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return {
          error(ErrorCode::store, "the file is damaged (" + one_line(detail) + ")",
                "the next command that writes, such as `aisp run`, recovers what can be read and keeps the "
                "damaged file beside it"),
          true};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {
          error(ErrorCode::io, "locked by another process for too long", "end the other process and repeat")};
    case SQLITE_FULL:
      return {error(ErrorCode::io, "the disk is full", "free some space, or run 'aisp store prune'")};
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return {error(ErrorCode::io, "it cannot be written (" + detail + ")",
                    "check its permissions, or choose another store with --store or AISP_STORE"),
              false, true};
    case SQLITE_CANTOPEN:
      return {error(ErrorCode::io, "cannot be opened (" + detail + ")",
                    "check the permissions of the file and of its directory, or choose another with --store "
                    "or AISP_STORE"),
              false, true};
    case SQLITE_IOERR:
      return {error(ErrorCode::io, "reading or writing failed (" + detail + ")",
                    "check the disk and the kernel log")};
    case SQLITE_NOMEM:
      return {error(ErrorCode::environment, "out of memory", "")};
    default:
      return {error(ErrorCode::store, detail, "run 'aisp store check'")};
  }
}

/// A process that waits for the lock looks again at least this often, the wake-up included.
constexpr auto kLongestLook = std::chrono::microseconds(2500);

/// SQLite's own handler backs off to 100 ms; with several writers short even steps keep the slowest commit
/// short.
int wait_for_lock(void* context, int tries) {
  static thread_local std::minstd_rand random{std::random_device{}()};
  const auto timeout = *static_cast<const std::chrono::milliseconds*>(context);
  const auto step = std::chrono::microseconds(500 + random() % 1500);
  // Steps average 1.25 ms; counting them avoids keeping a start time between calls.
  if (tries * std::chrono::microseconds(1250) >= timeout) return 0;
  std::this_thread::sleep_for(step);
  return 1;
}

std::string as_uri(const std::string& path) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string uri = "file:";
  for (const char c : path) {
    if (std::strchr("%?#", c) != nullptr) {
      const auto byte = static_cast<unsigned char>(c);
      uri += {'%', kHex[byte >> 4], kHex[byte & 15]};
    } else {
      uri += c;
    }
  }
  return uri + "?immutable=1";
}

struct Finalise {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

class SqliteCursor final : public Cursor {
 public:
  SqliteCursor(sqlite3* database, const std::string& path, std::string_view sql)
      : database_(database), path_(path) {
    sqlite3_stmt* statement = nullptr;
    const int code =
        sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
    statement_.reset(statement);
    if (code != SQLITE_OK) throw failure_of(code, sqlite3_errmsg(database), path_);
  }

  void bind(int index, std::string_view text) override {
    bound(sqlite3_bind_text64(statement_.get(), index, text.data() == nullptr ? "" : text.data(), text.size(),
                              SQLITE_TRANSIENT, SQLITE_UTF8));
  }
  void bind(int index, std::int64_t number) override {
    bound(sqlite3_bind_int64(statement_.get(), index, number));
  }
  void bind_real(int index, double number) override {
    bound(sqlite3_bind_double(statement_.get(), index, number));
  }
  void bind_null(int index) override { bound(sqlite3_bind_null(statement_.get(), index)); }

  bool step() override {
    const int code = sqlite3_step(statement_.get());
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    throw failure_of(sqlite3_extended_errcode(database_), sqlite3_errmsg(database_), path_);
  }
  void reset() override { sqlite3_reset(statement_.get()); }

  std::string_view text(int column) const override {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
    if (bytes == nullptr) {
      // NULL, or text for which there was no memory: the second must not be read as the first.
      if (sqlite3_errcode(database_) == SQLITE_NOMEM) throw failure_of(SQLITE_NOMEM, "", path_);
      return {};
    }
    return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
  }
  std::int64_t integer(int column) const override { return sqlite3_column_int64(statement_.get(), column); }
  double real(int column) const override { return sqlite3_column_double(statement_.get(), column); }
  bool is_null(int column) const override {
    return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
  }
  bool is_text(int column) const override {
    return sqlite3_column_type(statement_.get(), column) == SQLITE_TEXT;
  }

 private:
  /// A value that could not be bound would be NULL: a query then finds nothing, and an event loses a column.
  void bound(int code) {
    if (code != SQLITE_OK) throw failure_of(code, sqlite3_errmsg(database_), path_);
  }

  sqlite3* database_;
  const std::string& path_;  ///< of the connection, which lives longer
  std::unique_ptr<sqlite3_stmt, Finalise> statement_;
};

}  // namespace

void SqliteConnection::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

SqliteConnection::SqliteConnection(const std::filesystem::path& file, OpenMode mode,
                                   std::chrono::milliseconds busy_timeout)
    : path_(file.string()), busy_timeout_(busy_timeout) {
  const bool writes = mode == OpenMode::read_write || mode == OpenMode::query_only;
  // A store is used by one thread at a time: SQLite need not lock around every column it hands out.
  const int flags = (writes ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY) | SQLITE_OPEN_EXRESCODE |
                    SQLITE_OPEN_NOMUTEX | (mode == OpenMode::immutable ? SQLITE_OPEN_URI : 0);
  const std::string name = mode == OpenMode::immutable ? as_uri(path_) : path_;
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &handle, flags, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) throw failure_of(code, handle ? sqlite3_errmsg(handle) : "out of memory", path_);
  sqlite3_busy_handler(handle, wait_for_lock, &busy_timeout_);
  // The content of a store may come from anywhere: no SQL hidden in its schema may call functions with
  // effects.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  if (mode == OpenMode::query_only) execute("PRAGMA query_only = 1");
  if (mode == OpenMode::read_write && sqlite3_db_readonly(handle, "main") == 1) {
    throw failure_of(SQLITE_READONLY, "permission denied", path_);
  }
}

void SqliteConnection::execute(const char* sql) {
  const int code = sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) throw failure_of(code, sqlite3_errmsg(handle_.get()), path_);
}

std::unique_ptr<Cursor> SqliteConnection::prepare(std::string_view sql, Rows /*rows*/) {
  return std::make_unique<SqliteCursor>(handle_.get(), path_, sql);
}

/// On a slow disk a writer that commits again and again holds the lock for all but a few microseconds of each
/// commit: the others, who look every few milliseconds, would not find it free for many seconds. So it stays
/// away for one look.
void SqliteConnection::begin_write() {
  std::this_thread::sleep_until(released_ + kLongestLook);
  begin("BEGIN IMMEDIATE");
}

void SqliteConnection::begin(const char* sql) {
  if (!rollback_) rollback_ = prepare("ROLLBACK", Rows::few);
  execute(sql);
}

void SqliteConnection::commit() {
  execute("COMMIT");
  released_ = std::chrono::steady_clock::now();
}

void SqliteConnection::roll_back() {
  const bool writes = sqlite3_txn_state(handle_.get(), "main") == SQLITE_TXN_WRITE;
  rollback_->reset();
  rollback_->step();
  if (writes) released_ = std::chrono::steady_clock::now();
}

bool SqliteConnection::in_transaction() const { return sqlite3_get_autocommit(handle_.get()) == 0; }

void SqliteConnection::keep_log_on_close() {
  sqlite3_db_config(handle_.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
}

std::int64_t SqliteConnection::file_size() const {
  sqlite3_file* file = nullptr;
  sqlite3_int64 size = -1;
  sqlite3_file_control(handle_.get(), "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (file == nullptr || file->pMethods == nullptr) return -1;
  return file->pMethods->xFileSize(file, &size) == SQLITE_OK ? size : -1;
}

std::string SqliteConnection::bytes_at(std::int64_t at, int bytes) const {
  sqlite3_file* file = nullptr;
  sqlite3_file_control(handle_.get(), "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (file == nullptr || file->pMethods == nullptr) return {};
  std::string read(static_cast<std::size_t>(bytes), '\0');
  // A short read fills the rest with zeros.
  const int code = file->pMethods->xRead(file, read.data(), bytes, at);
  return code == SQLITE_OK || code == SQLITE_IOERR_SHORT_READ ? read : std::string();
}

}  // namespace aisp::store
