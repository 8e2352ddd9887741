// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/salvage.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <string_view>

#include <unistd.h>

#include "aisp/store/append.h"
#include "aisp/store/database.h"

namespace aisp::store {
namespace {

/// The receiver failed, not the damaged file: must end the salvage instead of counting as an unreadable row.
struct KeepFailed {
  Failure cause;
};

class Salvager {
 public:
  Salvager(const Database& database, const std::function<void(const Event&)>& keep)
      : database_(database), keep_(keep) {}

  /// Everything readable. Walks forward; where the walk breaks it asks for each row by itself, because the
  /// path to a single row crosses fewer pages than the walk.
  Salvage all() {
    end_ = last_known();
    std::int64_t next = 1;
    while (next <= end_) {
      next = walk_from(next);
      // The walk stopped at an unreadable place (or at the end): probe ahead until a row answers again.
      while (next <= end_ && !single(next)) {
        ++found_.lost;
        ++next;
      }
      if (next <= end_) ++next;
    }
    return found_;
  }

 private:
  /// The largest number any source still tells: the counter, or the last row.
  std::int64_t last_known() const {
    std::int64_t last = 0;
    for (const char* sql :
         {"SELECT seq FROM sqlite_sequence WHERE name = 'events'", "SELECT max(seq) FROM events"}) {
      (void)attempt([&] { last = std::max(last, database_.number(sql)); });
    }
    // A flipped bit in the counter must not keep us probing for ever: a row takes at least 500 bytes.
    return std::min(last, database_.sqlite()->file_size() / 400 + 100000);
  }

  std::int64_t walk_from(std::int64_t first) {
    std::int64_t next = first;
    (void)attempt([&] {
      Statement rows =
          database_.prepare("SELECT " AISP_EVENT_COLUMNS " FROM events WHERE seq >= ?1 ORDER BY seq");
      rows.bind(1, first);
      while (rows.step()) {
        const Row row = read_row(rows);
        if (row.seq < next || row.seq > end_) return;  // a loop or nonsense in a damaged tree
        found_.lost += row.seq - next;
        next = row.seq + 1;
        take(row);
      }
    });
    return next;
  }

  bool single(std::int64_t seq) {
    bool there = false;
    (void)attempt([&] {
      Statement row = database_.prepare("SELECT " AISP_EVENT_COLUMNS " FROM events WHERE seq = ?1");
      if (!row.bind(1, seq).step()) return;
      there = true;
      take(read_row(row));
    });
    return there;
  }

  void take(const Row& row) {
    if (!row.well_typed || !is_intact(row.event) || !taken_.insert(row.event.id).second) {
      ++found_.lost;
      return;
    }
    try {
      keep_(row.event);
    } catch (Failure& failure) {
      throw KeepFailed{std::move(failure)};
    }
    ++found_.recovered;
  }

  const Database& database_;
  const std::function<void(const Event&)>& keep_;
  std::set<std::string> taken_;
  std::int64_t end_ = 0;
  Salvage found_;
};

Salvage read_events(const std::filesystem::path& file, OpenMode mode,
                    const std::function<void(const Event&)>& keep) {
  Salvage found;
  (void)attempt([&] {
    const Database database(file, mode, std::chrono::milliseconds(100));
    database.number("SELECT count(*) FROM sqlite_schema");
    found = Salvager(database, keep).all();
  });
  return found;
}

/// The first page of a new store, with the numbers in its header set to those of a file of `pages` pages.
std::string fitted(std::string page, std::uint32_t pages) {
  const auto put = [&](std::size_t at, std::uint32_t value) {
    for (int i = 0; i < 4; ++i) page[at + i] = static_cast<char>(value >> (24 - 8 * i));
  };
  put(28, pages);  // size of the file
  put(32, 0);      // list of free pages: unknown, and not needed for reading
  put(36, 0);
  page[18] = page[19] = 1;           // without a log
  page.replace(92, 4, page, 24, 4);  // the size is valid for this change counter
  return page;
}

Salvage read_with_lent_page(const std::filesystem::path& file, const std::string& first_page,
                            const std::function<void(const Event&)>& keep) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  if (error || size < 2 * kPageBytes || first_page.size() != kPageBytes) return {};
  const std::filesystem::path copy = file.string() + ".lent";
  Salvage found;
  if (std::filesystem::copy_file(file, copy, std::filesystem::copy_options::overwrite_existing, error)) {
    std::fstream stream(copy, std::ios::binary | std::ios::in | std::ios::out);
    stream.write(fitted(first_page, static_cast<std::uint32_t>(size / kPageBytes)).data(), kPageBytes);
    stream.close();
    if (stream) found = read_events(copy, OpenMode::immutable, keep);
  }
  std::filesystem::remove(copy, error);
  return found;
}

}  // namespace

Salvage salvage(const std::filesystem::path& file, const std::string& first_page,
                const std::function<void(const Event&)>& keep) {
  Salvage found;
  try {
    // With the log first; if that cannot be opened, without it.
    found = read_events(file, OpenMode::read_only, keep);
    if (found.recovered == 0) found = read_events(file, OpenMode::immutable, keep);
    if (found.recovered == 0) found = read_with_lent_page(file, first_page, keep);
  } catch (KeepFailed& failed) {
    throw std::move(failed.cause);
  }
  ::unlink((file.string() + "-shm").c_str());  // a cache that reading made
  return found;
}

}  // namespace aisp::store
