// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/recover.h"

#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

#include "aisp/store/append.h"
#include "aisp/store/create.h"
#include "aisp/store/directory.h"
#include "aisp/store/salvage.h"
#include "aisp/wire/json.h"

namespace aisp::store {
namespace {

namespace fs = std::filesystem;

fs::path with_suffix(const fs::path& file, const char* suffix) { return file.string() + suffix; }

/// The name of the damaged file while its events are carried over: its presence means "not finished".
fs::path recovering(const fs::path& file) { return with_suffix(file, ".recovering"); }

bool present(const fs::path& file) {
  std::error_code none;
  return fs::exists(fs::symlink_status(file, none));
}

void move(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) throw system_failure("move aside", from);
}

/// Every connection of SQLite holds a shared lock on these bytes for as long as it reads a store with a log.
bool in_use(const fs::path& file) {
  constexpr off_t kSharedFirst = 0x40000000 + 2;
  constexpr off_t kSharedSize = 510;
  const Descriptor descriptor(::open(file.c_str(), O_RDWR | O_CLOEXEC));
  if (!descriptor) return false;
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = kSharedFirst;
  lock.l_len = kSharedSize;
  return ::fcntl(descriptor.get(), F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

/// A free name: the date says when, the number keeps two of one second apart.
fs::path final_name(const fs::path& file) {
  std::string stamp = utc_now().substr(0, 19);
  std::erase(stamp, ':');
  std::erase(stamp, '-');
  fs::path name = with_suffix(file, (".damaged-" + stamp).c_str());
  for (int i = 2; present(name); ++i)
    name = with_suffix(file, (".damaged-" + stamp + "-" + std::to_string(i)).c_str());
  return name;
}

Event announcement(const std::string& damage, const fs::path& kept_as) {
  Json payload;
  payload["damage"] = printable_utf8(damage);
  payload["kept_as"] = printable_utf8(kept_as.filename().string());
  Event event;
  event.kind = kStoreRecovered;
  event.payload = payload.dump();
  seal(event);
  return event;
}

RecoveryReport carry_over(const fs::path& file, const std::string& damage) {
  RecoveryReport report;
  const fs::path source = recovering(file);
  report.kept_as = final_name(file);
  if (!present(file)) {
    create_store(file, [&](const Database& fresh) {
      const std::string first_page = fresh.sqlite()->head(kPageBytes);
      Transaction transaction(fresh);
      append(fresh, announcement(damage, report.kept_as));
      const Salvage found = salvage(source, first_page, [&](const Event& event) { append(fresh, event); });
      transaction.commit();
      report.recovered = found.recovered;
      report.lost = found.lost;
    });
  }
  const fs::path log = with_suffix(source, "-wal");
  if (present(log)) move(log, with_suffix(report.kept_as, "-wal"));
  move(source, report.kept_as);
  flush_directory(file.parent_path());
  return report;
}

/// A log without its store belongs to nobody: SQLite would replay it into whatever store comes next.
void set_aside_log(const fs::path& file, const fs::path& to) {
  const fs::path log = with_suffix(file, "-wal");
  if (present(log)) move(log, with_suffix(to, "-wal"));
  ::unlink(with_suffix(file, "-shm").c_str());
}

}  // namespace

RecoveryReport recover_store(const fs::path& file, const std::string& damage) {
  if (in_use(file)) {
    throw Failure{
        {ErrorCode::store, "store " + file.string() + ": " + damage + ", and another process uses it",
         "end the other process; the next start moves the file aside and recovers what is readable"}};
  }
  move(file, recovering(file));
  set_aside_log(file, recovering(file));
  return carry_over(file, damage);
}

std::optional<RecoveryReport> resume_recovery(const fs::path& file) {
  if (present(recovering(file))) {
    if (!present(file)) set_aside_log(file, recovering(file));
    return carry_over(file, "found in the middle of a recovery");
  }
  if (!present(file) && present(with_suffix(file, "-wal"))) set_aside_log(file, final_name(file));
  return std::nullopt;
}

}  // namespace aisp::store
