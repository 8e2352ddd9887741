// SPDX-License-Identifier: Apache-2.0
/// \file
/// A damaged store is moved aside, never deleted; every event that is still whole is carried into a fresh
/// store in its place. Killed half-way, the next opening continues where it stopped.
///
///   DirectoryLock lock(file.parent_path());
///   RecoveryReport report = recover_store(file, "the file is empty");
///
/// Recovered events keep their ids and get a new chain, which begins with an event that says so.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "aisp/store/failure.h"

namespace aisp::store {

struct RecoveryReport {
  std::filesystem::path kept_as;  ///< the damaged file
  std::int64_t recovered = 0;     ///< events
  std::int64_t lost = 0;          ///< events that are known to have been there and could not be read
};

/// The caller holds the DirectoryLock. Throws Failure: when another process still uses the file it is not
/// moved.
RecoveryReport recover_store(const std::filesystem::path& file, const std::string& damage);

/// Finishes a recovery that was killed; nothing when there was none. The caller holds the DirectoryLock.
std::optional<RecoveryReport> resume_recovery(const std::filesystem::path& file);

}  // namespace aisp::store
