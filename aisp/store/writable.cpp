// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/writable.h"

#include <cstdint>
#include <string>

#include <sys/statvfs.h>

#include "aisp/store/failure.h"
#include "aisp/store/migrate.h"
#include "aisp/store/schema.h"

namespace aisp::store {
namespace {

constexpr std::uintmax_t kKiB = 1024;
/// Less than this and a run's results may not fit.
constexpr std::uintmax_t kSpaceNeeded = 8 * kKiB * kKiB;

std::string in_words(std::uintmax_t bytes) {
  return bytes < kKiB * kKiB ? std::to_string(bytes / kKiB) + " KiB"
                             : std::to_string(bytes / (kKiB * kKiB)) + " MiB";
}

/// Advice to prune is of no use where there is nothing.
bool holds_runs(const Database& database) {
  return database.number("SELECT count(*) FROM events WHERE kind = 'run_started' AND payload IS NOT NULL") >
         0;
}

void refuse_full_disk(const Database& database) {
  struct statvfs space{};
  if (::statvfs(database.path().c_str(), &space) != 0) return;
  const std::uintmax_t left = std::uintmax_t{space.f_bavail} * space.f_frsize;
  if (left >= kSpaceNeeded) return;
  const std::string prune = holds_runs(database) ? ", run 'aisp store prune'" : "";
  throw Failure{{ErrorCode::io,
                 "store " + database.path() + ": the disk is nearly full: " + in_words(left) +
                     " are free, and a run needs " + in_words(kSpaceNeeded),
                 "free some space" + prune + ", or choose another store with --store or AISP_STORE"}};
}

}  // namespace

void prove_writable(const Database& database, bool to_free_space) {
  if (database.engine() == Engine::sqlite && !to_free_space) refuse_full_disk(database);
  Transaction transaction(database);
  refuse_newer(database);
  set_schema_version(database, kSchemaVersion);
  transaction.commit();
}

}  // namespace aisp::store
