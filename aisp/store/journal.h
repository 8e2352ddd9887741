// SPDX-License-Identifier: Apache-2.0
/// \file
/// Results that could not be stored (locked, disk full, read-only): kept as JSON lines, flushed to disk,
/// imported the next time the store is opened for writing. An event's id is its checksum and makes the import
/// idempotent.
///
///   JournalFiles files = journal_files(store, fallback);
///   Result<std::filesystem::path> kept = keep_in_journal(files, event);   // the file it went to
///   ImportReport report = import_journal(database, file);                 // at the next open
///
/// Not a second store: it is empty, and absent, whenever things go well.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "aisp/core/result.h"
#include "aisp/store/database.h"
#include "aisp/store/event.h"

namespace aisp::store {

/// Places to try, in order: beside the store where it is a file, then in the fallback directory (where the
/// name tells stores apart).
using JournalFiles = std::vector<std::filesystem::path>;
JournalFiles journal_files(const std::filesystem::path& store, const std::filesystem::path& fallback);

/// The first place that could be written and flushed. A line that could not be written whole is taken back.
Result<std::filesystem::path> keep_in_journal(const JournalFiles& files, const Event& event);

struct ImportReport {
  std::int64_t imported = 0;
  std::int64_t known =
      0;  ///< already in the store: an import that was killed before it could remove the journal
  std::vector<std::string> warnings;
};

/// All of the file in one transaction, then the file is removed. A torn last line was never acknowledged and
/// is dropped; a journal with other unreadable lines is kept aside. Throws Failure; an absent file imports
/// nothing.
ImportReport import_journal(const Database& database, const std::filesystem::path& file);

/// Events waiting in the file, for messages of readers who may not import.
std::int64_t count_journal(const std::filesystem::path& file);

}  // namespace aisp::store
