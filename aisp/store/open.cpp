// SPDX-License-Identifier: Apache-2.0
// Opening a store: the checks that make a run fail before it starts rather than after it has measured for an
// hour.
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <sys/stat.h>
#include <unistd.h>

#include "aisp/store/append.h"
#include "aisp/store/create.h"
#include "aisp/store/damage.h"
#include "aisp/store/database.h"
#include "aisp/store/directory.h"
#include "aisp/store/figures_fold.h"
#include "aisp/store/journal.h"
#include "aisp/store/migrate.h"
#include "aisp/store/postgres_open.h"
#include "aisp/store/postgres_url.h"
#include "aisp/store/recover.h"
#include "aisp/store/schema.h"
#include "aisp/store/store.h"
#include "aisp/store/writable.h"

namespace aisp::store {
namespace {

namespace fs = std::filesystem;

/// SQLite's limit for a path is 512 bytes, and it adds "-journal".
constexpr std::size_t kLongestPath = 500;

/// Absolute, with links resolved: a rename must replace the file, not the link, and the journal's name must
/// not depend on how the path was typed.
fs::path resolve(const fs::path& file) {
  std::error_code error;
  fs::path resolved = fs::weakly_canonical(fs::absolute(file, error), error);
  if (error) resolved = file;
  if (resolved.string().size() > kLongestPath) {
    throw Failure{{ErrorCode::io,
                   "the path of the store is longer than " + std::to_string(kLongestPath) + " bytes",
                   "choose a shorter one with --store or AISP_STORE"}};
  }
  return resolved;
}

/// True when a regular file is there. Throws for what is there and is not a file: opening a pipe would hang.
bool is_there(const fs::path& file) {
  struct stat status{};
  if (::stat(file.c_str(), &status) != 0) {
    if (errno != ENOENT) throw system_failure("open", file);
    if (::lstat(file.c_str(), &status) != 0) return false;
    if (!S_ISLNK(status.st_mode)) return is_there(file);  // another process made it in between
    throw Failure{
        {ErrorCode::io, file.string() + " is a symbolic link to nowhere", "repair or remove the link"}};
  }
  if (S_ISREG(status.st_mode)) return true;
  throw Failure{{ErrorCode::store, file.string() + " is not a regular file",
                 "choose another file with --store or AISP_STORE"}};
}

/// As `mktemp` makes one. With a log beside it the file is what damage has left of a store.
bool holds_nothing(const fs::path& file) {
  std::error_code none;
  const auto size = fs::file_size(file, none);
  if (none || size > 0) return false;
  const auto log = fs::file_size(file.string() + "-wal", none);
  return none || log == 0;
}

Error recovery_error(const fs::path& file, const std::string& damage, const RecoveryReport& report) {
  const std::string lost = report.lost == 0 ? "" : " (" + std::to_string(report.lost) + " could not be read)";
  return {ErrorCode::store,
          "store " + file.string() + ": " + damage + "; it is kept as " + report.kept_as.string() + ", and " +
              std::to_string(report.recovered) + " events were recovered into a new store" + lost,
          "repeat the command to continue with the recovered store"};
}

/// A directory with copies of the store and its log, for media on which SQLite cannot create the log's index.
fs::path private_copy(const fs::path& file) {
  std::error_code unset;
  const fs::path base = fs::temp_directory_path(unset);  // TMPDIR where it is a directory, else /tmp
  std::string name = ((unset ? fs::path("/tmp") : base) / "aisp-store-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw system_failure("create", name);
  std::error_code error;
  fs::copy_file(file, fs::path(name) / "results.db", error);
  if (!error) fs::copy_file(file.string() + "-wal", fs::path(name) / "results.db-wal", error);
  if (!error) return name;
  std::error_code ignored;
  fs::remove_all(name, ignored);
  throw Failure{{ErrorCode::io, "cannot copy " + file.string() + " to " + name + ": " + error.message(), ""}};
}

}  // namespace

/// The steps of Store::open; a friend of Store.
struct Opening {
  Store store;

  /// What is wrong with the file, if anything; leaves a connection when nothing is, or when reading can go
  /// on.
  std::optional<Damage> connect_and_check(OpenMode mode, const fs::path& file) {
    try {
      store.database_ = std::make_unique<Database>(file, mode, store.options_.busy_timeout);
      std::optional<Damage> damage = find_damage(*store.database_);
      if (damage) store.database_->sqlite()->keep_log_on_close();
      if (damage && (mode == OpenMode::read_write || !damage->readable)) store.database_.reset();
      return damage;
    } catch (const Failure& failure) {
      store.database_.reset();
      if (failure.damaged) return Damage{failure.error.message};
      throw;
    }
  }

  void write(const fs::path& file) {
    std::error_code none;
    const bool recovering = fs::exists(file.string() + ".recovering", none);
    if (!store.options_.create && !recovering && !is_there(file)) throw no_store(file.string());
    make_directories(file.parent_path());
    settle(file);
    if (const auto damage = connect_and_check(OpenMode::read_write, file)) recover(file, damage->what);
    make_ready(file);
  }

  /// A sound store becomes one that results can be written to.
  void make_ready(const fs::path& file) {
    const Database& database = *store.database_;
    refuse_newer(database);
    if (database.engine() == Engine::sqlite) {
      database.execute("PRAGMA journal_mode = WAL");
      database.execute("PRAGMA synchronous = FULL");
    }
    migrate(database);
    prove_writable(database, store.options_.to_free_space);
    derive_figures(database);
    for (const fs::path& journal : journal_files(file, store.options_.fallback)) {
      const ImportReport report = import_journal(database, journal);
      if (report.imported > 0) {
        store.warnings_.push_back(std::to_string(report.imported) + " results imported from " +
                                  journal.string());
      }
      store.warnings_.insert(store.warnings_.end(), report.warnings.begin(), report.warnings.end());
    }
  }

  /// A disk that fails here would fail the results too, and is told before a run. A fault in the tables
  /// alone, which can be derived again, is no reason to refuse results: questions across runs then take
  /// longer.
  void derive_figures(const Database& database) {
    if (store.options_.to_free_space) return;
    try {
      update_figures(database, store.options_.catching_up);
    } catch (const Failure& failure) {
      if (failure.error.code != ErrorCode::store) throw;
      store.warnings_.push_back("the table of figures is behind: " + failure.error.message);
    }
    store.options_.catching_up = nullptr;  // it was for the opening
  }

  /// Makes sure that there is a store: creates one, or finishes a recovery that was killed.
  void settle(const fs::path& file) {
    std::error_code none;
    if (is_there(file) && !holds_nothing(file) && !fs::exists(file.string() + ".recovering", none)) return;
    const DirectoryLock lock(file.parent_path());
    if (const auto report = resume_recovery(file)) {
      store.warnings_.push_back("an interrupted recovery was finished; the damaged store is kept as " +
                                report->kept_as.string());
    }
    if (is_there(file) && holds_nothing(file)) fs::remove(file, none);
    if (!is_there(file)) create_store(file, [](const Database&) {});
  }

  [[noreturn]] void recover(const fs::path& file, const std::string& damage) {
    RecoveryReport report;
    {
      const DirectoryLock lock(file.parent_path());
      // Another process may have recovered it while we waited.
      if (const auto still = connect_and_check(OpenMode::read_write, file)) {
        report = recover_store(file, still->what);
      } else {
        store.database_.reset();
        throw Failure{{ErrorCode::store,
                       "store " + file.string() + ": " + damage + "; another process recovered it",
                       "repeat the command to continue with the recovered store"}};
      }
    }
    Error error = recovery_error(file, damage, report);
    // Bring in the journal now: the next command may be one that only reads.
    const Status ready = attempt([&] {
      if (!connect_and_check(OpenMode::read_write, file)) make_ready(file);
    });
    if (!ready) error.hint = ready.error().message;
    throw Failure{error};
  }

  void read(const fs::path& file) {
    if (!is_there(file)) throw no_store(file.string());
    if (const auto damage = connect_reading(file)) {
      const std::string message = "store " + file.string() + ": " + damage->what;
      const std::string hint = holds_nothing(file)
                                   ? "the next 'aisp run' makes it a store"
                                   : "the next 'aisp run' keeps the file aside and recovers what is readable";
      if (!damage->readable) throw Failure{{ErrorCode::store, message, hint}};
      store.warnings_.push_back(message + "; " + hint);
    }
    tell_of_journals(file);
  }

  void tell_of_journals(const fs::path& file) {
    for (const fs::path& journal : journal_files(file, store.options_.fallback)) {
      if (const std::int64_t waiting = count_journal(journal); waiting > 0) {
        store.warnings_.push_back(std::to_string(waiting) + " results wait in " + journal.string() +
                                  "; the next run imports them");
      }
    }
  }

  /// On a server nothing is moved aside: its files are in other hands.
  void connect(const std::string& url, Access access) {
    const bool create = access == Access::read_write && store.options_.create;
    store.database_ = open_server(url, access, create, store.options_.busy_timeout);
    store.warnings_ = server_warnings(*store.database_);
    const bool writes = access == Access::read_write;
    if (const auto damage = find_damage(*store.database_)) {
      const std::string message = "store " + store.database_->path() + ": " + damage->what;
      const std::string hint = "restore the database from a backup, or go on with another store (--store)";
      if (writes || !damage->readable) throw Failure{{ErrorCode::store, message, hint}};
      store.warnings_.push_back(message + "; " + hint);
    }
    if (writes) {
      make_ready(store.file_);
    } else {
      tell_of_journals(store.file_);
    }
  }

  std::optional<Damage> connect_reading(const fs::path& file) {
    const bool writable =
        ::access(file.c_str(), W_OK) == 0 && ::access(file.parent_path().c_str(), W_OK) == 0;
    try {
      return connect_and_check(writable ? OpenMode::query_only : OpenMode::read_only, file);
    } catch (const Failure& failure) {
      if (!failure.cannot_open || ::access(file.c_str(), R_OK) != 0) throw;
    }
    // Nothing can be created beside it. Without a log the file itself is complete and cannot change.
    std::error_code none;
    const auto log = fs::file_size(file.string() + "-wal", none);
    if (none || log == 0) return connect_and_check(OpenMode::immutable, file);
    store.copy_ = private_copy(file);
    return connect_and_check(OpenMode::query_only, store.copy_ / "results.db");
  }
};

Result<Store> Store::open(const fs::path& file, Access access, const OpenOptions& options) {
  return attempt([&] {
    Opening opening{Store()};
    opening.store.options_ = options;
    if (const std::string url = file.string(); is_postgres_url(url)) {
      opening.store.file_ = without_password(url);
      opening.connect(url, access);
      return std::move(opening.store);
    }
    opening.store.file_ = resolve(file);
    if (access == Access::read_write) {
      opening.write(opening.store.file_);
    } else {
      opening.read(opening.store.file_);
    }
    return std::move(opening.store);
  });
}

}  // namespace aisp::store
