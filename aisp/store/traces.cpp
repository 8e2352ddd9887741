// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/traces.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

#include "aisp/store/event.h"
#include "aisp/store/journal.h"
#include "aisp/store/salvage.h"

namespace aisp::store {
namespace {

/// As far as is looked: a film named by mistake may be large, and a store has such pages throughout.
constexpr std::int64_t kLookedAt = std::int64_t{64} << 20;
/// Of a page of SQLite's.
constexpr char kTableLeaf = 0x0d;
constexpr std::size_t kLeafHeader = 8;
constexpr std::size_t kFileHeader = 100;  ///< before that of the first page

std::size_t number_at(std::string_view page, std::size_t at) {
  return static_cast<std::size_t>(static_cast<unsigned char>(page[at]) << 8 |
                                  static_cast<unsigned char>(page[at + 1]));
}

/// The header of a page with rows, whose numbers fit each other: a program or an archive may contain the
/// words of a store, but not in such pages.
bool is_table_leaf(std::string_view page, std::size_t header) {
  if (page[header] != kTableLeaf) return false;
  const std::size_t rows = number_at(page, header + 3);
  const std::size_t content = number_at(page, header + 5);
  return rows > 0 && content < page.size() && header + kLeafHeader + 2 * rows <= content;
}

/// Kinds of events are in their rows, and in the definitions of the tables.
bool names_events(std::string_view page) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{kRunStarted, kCellStarted, kCellFinished, kRunPruned},
      [&](std::string_view kind) { return page.find(kind) != std::string_view::npos; });
}

bool has_pages_of_events(const SqliteConnection& file) {
  const std::int64_t end = std::min(file.file_size(), kLookedAt);
  for (std::int64_t at = 0; at + kPageBytes <= end; at += kPageBytes) {
    const std::string page = file.bytes_at(at, kPageBytes);
    if (page.empty()) return false;
    if (is_table_leaf(page, at == 0 ? kFileHeader : 0) && names_events(page)) return true;
  }
  return false;
}

}  // namespace

bool has_traces_of_a_store(const SqliteConnection& file) {
  namespace fs = std::filesystem;
  std::error_code none;
  const auto log = fs::file_size(file.name() + "-wal", none);
  if (!none && log > 0) return true;
  const auto waiting = [](const fs::path& journal) { return count_journal(journal) > 0; };
  return std::ranges::any_of(journal_files(file.name(), {}), waiting) || has_pages_of_events(file);
}

}  // namespace aisp::store
