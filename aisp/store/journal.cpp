// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/journal.h"

#include <algorithm>
#include <cerrno>
#include <optional>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "aisp/store/append.h"
#include "aisp/store/directory.h"
#include "aisp/store/postgres_url.h"
#include "aisp/wire/hash.h"
#include "aisp/wire/json.h"

namespace aisp::store {
namespace {

namespace fs = std::filesystem;

/// The journal, open and locked; retried when an import removed the file between opening and locking.
Descriptor open_locked(const fs::path& file, int flags) {
  for (;;) {
    Descriptor descriptor(::open(file.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
    if (!descriptor) return descriptor;
    while (::flock(descriptor.get(), LOCK_EX) != 0 && errno == EINTR) {
    }
    struct stat held{};
    if (::fstat(descriptor.get(), &held) != 0 || !S_ISREG(held.st_mode)) {
      errno = EINVAL;
      return Descriptor(-1);
    }
    struct stat named{};
    if (::stat(file.c_str(), &named) == 0 && named.st_ino == held.st_ino && named.st_dev == held.st_dev) {
      return descriptor;
    }
  }
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void keep_in(const fs::path& file, const Event& event) {
  make_directories(file.parent_path());
  const Descriptor journal = open_locked(file, O_RDWR | O_CREAT | O_APPEND);
  if (!journal) throw system_failure("write the journal", file);
  const off_t before = ::lseek(journal.get(), 0, SEEK_END);
  char last = '\n';
  if (before > 0 && ::pread(journal.get(), &last, 1, before - 1) != 1) throw system_failure("read", file);
  // A writer killed in the middle of a line must not spoil this one.
  const std::string line = (last == '\n' ? "" : "\n") + to_json(event).dump() + "\n";
  if (!write_all(journal.get(), line) || ::fsync(journal.get()) != 0) {
    const int reason = errno;
    // Best effort: a line that stays is recognised by its checksum, or imported once.
    if (::ftruncate(journal.get(), before) == 0 && before == 0) ::unlink(file.c_str());
    errno = reason;
    throw system_failure("write the journal", file);
  }
  flush_directory(file.parent_path());
}

std::string read_all(int fd, const fs::path& file) {
  std::string text;
  std::string chunk(std::size_t{1} << 16, '\0');
  for (;;) {
    const ssize_t got = ::read(fd, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw system_failure("read the journal", file);
    if (got == 0) return text;
    text.append(chunk, 0, static_cast<std::size_t>(got));
  }
}

struct Lines {
  std::vector<Event> events;
  int damaged = 0;    ///< complete lines that are not sound events
  bool torn = false;  ///< the last line has no end
};

Lines parse_lines(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty()) continue;
    std::optional<Event> event;
    if (const Result<Json> json = parse_json(line)) {
      if (Result<Event> read = from_json<Event>(*json); read && read->payload && is_intact(*read)) {
        event = std::move(*read);
      }
    }
    // Without its line end a last line may still be whole: then it is an event like any other.
    if (event) {
      lines.events.push_back(std::move(*event));
    } else if (end == std::string_view::npos) {
      lines.torn = true;
    } else {
      ++lines.damaged;
    }
  }
  return lines;
}

}  // namespace

JournalFiles journal_files(const fs::path& store, const fs::path& fallback) {
  JournalFiles files;
  if (!is_postgres_url(store.string())) files.emplace_back(store.string() + ".pending.jsonl");
  if (!fallback.empty())
    files.push_back(fallback / ("pending-" + sha256_hex(store.string()).substr(0, 16) + ".jsonl"));
  return files;
}

Result<fs::path> keep_in_journal(const JournalFiles& files, const Event& event) {
  Error last{ErrorCode::io, "there is no place for a journal", ""};
  for (const fs::path& file : files) {
    const Status kept = attempt([&] { keep_in(file, event); });
    if (kept) return file;
    last = kept.error();
  }
  return last;
}

ImportReport import_journal(const Database& database, const fs::path& file) {
  ImportReport report;
  const Descriptor journal = open_locked(file, O_RDONLY);
  if (!journal) {
    if (errno != ENOENT && errno != ENOTDIR) {
      report.warnings.push_back(system_failure("read the journal", file).error.message);
    }
    return report;
  }
  const Lines lines = parse_lines(read_all(journal.get(), file));
  if (!lines.events.empty()) {
    Transaction transaction(database);
    for (const Event& event : lines.events) ++(append(database, event) ? report.imported : report.known);
    transaction.commit();
  }
  if (lines.torn) report.warnings.push_back("journal " + file.string() + ": ignored a torn last line");
  if (lines.damaged > 0) {
    const std::string aside = file.string() + ".damaged-" + random_hex(4);
    report.warnings.push_back("journal " + file.string() + ": " + std::to_string(lines.damaged) +
                              " unreadable lines; the file is kept as " + aside);
    if (::rename(file.c_str(), aside.c_str()) != 0) throw system_failure("move aside", file);
  } else if (::unlink(file.c_str()) != 0) {
    report.warnings.push_back(system_failure("remove the imported journal", file).error.message);
  }
  flush_directory(file.parent_path());
  return report;
}

std::int64_t count_journal(const fs::path& file) {
  const Descriptor journal(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!journal) return 0;
  std::int64_t count = 0;
  if (!attempt([&] {
        count = static_cast<std::int64_t>(parse_lines(read_all(journal.get(), file)).events.size());
      })) {
    return 0;
  }
  return count;
}

}  // namespace aisp::store
