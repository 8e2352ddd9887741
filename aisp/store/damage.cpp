// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/damage.h"

#include <algorithm>
#include <filesystem>

#include "aisp/store/append.h"
#include "aisp/store/dialect.h"
#include "aisp/store/migrate.h"
#include "aisp/store/postgres_schema.h"
#include "aisp/store/schema.h"
#include "aisp/store/traces.h"

namespace aisp::store {
namespace {

/// Up to this size SQLite's own check of the whole file takes a few milliseconds.
constexpr std::int64_t kSmallFile = std::int64_t{2} << 20;
/// Events at the end whose links and payloads are verified: where a crash or a truncation shows first.
constexpr int kTail = 8;
/// What to do about a file that is somebody else's, and is left as it is.
constexpr const char* kChooseAnother =
    "choose another file with --store or AISP_STORE, or move this one away";

std::optional<std::string> damaged_file(const SqliteConnection& database) {
  const std::int64_t size = database.file_size();
  if (size == 0) return "the file is empty";
  const std::string head = database.head(100);
  using namespace std::string_literals;
  if (size < 512 || !head.starts_with("SQLite format 3\0"s)) return "the file is not a store";
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(head[i]); };
  const int stored = byte(16) << 8 | byte(17);
  const std::int64_t page = stored == 1 ? 65536 : stored;
  if (page < 512 || (page & (page - 1)) != 0) return "its header is damaged";
  // A checkpoint stopped by a full disk may leave part of a page at the end; the log still holds that page.
  std::error_code none;
  const auto log = std::filesystem::file_size(database.name() + "-wal", none);
  if ((none || log == 0) && size % page != 0) return "the file is cut off in the middle of a page";
  return std::nullopt;
}

/// SQLite calls a file of one byte empty, too.
bool is_empty(const SqliteConnection& file) {
  std::error_code none;
  return file.file_size() == 0 && std::filesystem::file_size(file.name(), none) == 0;
}

/// Somebody's notes, named by mistake: to be left where they are. Damage leaves bytes that no text has.
bool is_text(const std::string& head) {
  return std::ranges::all_of(head, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= ' ' ? byte != 0x7f : c == '\n' || c == '\r' || c == '\t' || c == '\f';
  });
}

bool is_ours(const Database& database) {
  if (database.engine() == Engine::postgres) return has_state(database);
  return database.number("PRAGMA application_id") == kApplicationId;
}

bool has_events(const Database& database) {
  if (database.engine() == Engine::postgres) return has_events_table(database);
  return database.number("SELECT count(*) FROM pragma_table_info('events') WHERE name = 'payload_hash'") == 1;
}

std::optional<std::string> damaged_tail(const Database& database) {
  Statement rows = database.prepare("SELECT " AISP_EVENT_COLUMNS " FROM events ORDER BY seq DESC LIMIT ?1");
  rows.bind(1, kTail + 1);
  std::optional<Row> later;
  std::int64_t last = 0;
  const auto at = [](std::int64_t seq) { return "event " + std::to_string(seq); };
  while (rows.step()) {
    Row row = read_row(rows);
    if (!row.well_typed || !is_intact(row.event)) return at(row.seq) + " does not match its hash";
    if (later && (row.seq + 1 != later->seq || later->hash != chain_hash(row.hash, later->event.id))) {
      return at(later->seq) + " does not follow the one before it";
    }
    if (row.seq == 1 && row.hash != chain_hash(chain_origin(), row.event.id))
      return at(1) + " is not the first";
    if (!later) last = row.seq;
    later = std::move(row);
  }
  const std::int64_t written = database.number(events_written(database.engine()));
  if (written != last) return "the last events are missing";
  return std::nullopt;
}

}  // namespace

std::optional<Damage> find_damage(const Database& database) {
  const SqliteConnection* file = database.sqlite();
  if (const auto damage = file != nullptr ? damaged_file(*file) : std::nullopt) {
    std::string head = file->head(4096);
    head.resize(static_cast<std::size_t>(std::clamp<std::int64_t>(file->file_size(), 0, 4096)));
    if (!head.empty() && !head.starts_with("SQLite") && is_text(head)) {
      throw Failure{
          {ErrorCode::store, database.path() + " is a text, not a store of results", kChooseAnother}};
    }
    if (!is_empty(*file) && !head.starts_with("SQLite") && !has_traces_of_a_store(*file))
      throw Failure{{ErrorCode::store, database.path() + " is not a store of results", kChooseAnother}};
    return Damage{*damage};
  }
  bool readable = false;
  try {
    // One moment for all questions: a writer between two of them would look like damage.
    const Snapshot snapshot(database);
    const bool ours = is_ours(database);
    if (!has_events(database)) {
      if (ours) return Damage{"its tables are missing"};
      throw Failure{{ErrorCode::store,
                     database.path() + " is a database of another program, not a store of results",
                     kChooseAnother}};
    }
    const int version = schema_version(database);
    if (!ours || version < 1) return Damage{"its header is damaged"};
    if (version > kSchemaVersion) return std::nullopt;  // a newer program knows what its rows mean
    readable = true;
    if (const std::string part = altered_part(database); !part.empty()) {
      return Damage{"its " + part + " is missing or altered", true};
    }
    if (file != nullptr && file->file_size() <= kSmallFile) {
      if (const std::string answer = database.word("PRAGMA quick_check(1)"); answer != "ok")
        return Damage{answer, true};
    }
    if (const auto damage = damaged_tail(database)) return Damage{*damage, true};
    return std::nullopt;
  } catch (const Failure& failure) {
    if (!failure.damaged) throw;
    return Damage{failure.error.message.substr(failure.error.message.find(": ") + 2), readable};
  }
}

}  // namespace aisp::store
