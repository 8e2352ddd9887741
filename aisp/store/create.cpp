// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/create.h"

#include <cerrno>
#include <cstdio>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include "aisp/store/directory.h"
#include "aisp/store/migrate.h"
#include "aisp/store/schema.h"

namespace aisp::store {
namespace {

namespace fs = std::filesystem;

/// Armed before the file exists; does nothing once the file has moved on.
class Scaffold {
 public:
  explicit Scaffold(fs::path file) : file_(std::move(file)) {}
  ~Scaffold() {
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) ::unlink((file_.string() + suffix).c_str());
  }
  Scaffold(const Scaffold&) = delete;
  Scaffold& operator=(const Scaffold&) = delete;

 private:
  fs::path file_;
};

/// What a process killed while creating left behind. Safe under the DirectoryLock: nobody else is creating.
void remove_abandoned(const fs::path& directory, const std::string& prefix) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(directory, ignored)) {
    if (entry.path().filename().string().starts_with(prefix)) fs::remove(entry.path(), ignored);
  }
}

void build(const fs::path& file, const std::function<void(const Database&)>& fill) {
  const Descriptor made(::open(file.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600));
  if (!made) throw system_failure("create", file);
  {
    const Database database(file, OpenMode::read_write, std::chrono::milliseconds(0));
    // Space freed by pruning goes back to the file system; has to be chosen before the first table.
    database.execute("PRAGMA page_size = 4096");  // as salvage.h expects
    database.execute("PRAGMA auto_vacuum = INCREMENTAL");
    database.execute("PRAGMA journal_mode = MEMORY");
    database.execute(("PRAGMA application_id = " + std::to_string(kApplicationId)).c_str());
    migrate(database);
    fill(database);
    // File systems without shared memory keep a rollback journal instead; durability is the same.
    database.execute("PRAGMA journal_mode = WAL");
  }
  if (::fsync(made.get()) != 0) throw system_failure("write", file);
}

/// Gives the finished file its name unless the name is taken. One step: a process killed between a link() and
/// the unlink() of the old name would leave a file that nobody looks for once the store exists.
void publish(const fs::path& temporary, const fs::path& file) {
  if (::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, file.c_str(), RENAME_NOREPLACE) == 0) return;
  if (errno == EEXIST) return;
  // Some file systems know only the plain rename. The DirectoryLock keeps other creators out meanwhile.
  std::error_code ignored;
  if (fs::exists(file, ignored)) return;
  if (::rename(temporary.c_str(), file.c_str()) != 0) throw system_failure("create", file);
}

}  // namespace

void create_store(const fs::path& file, const std::function<void(const Database&)>& fill) {
  const fs::path directory = file.parent_path();
  const std::string prefix = "." + file.filename().string() + ".new-";
  remove_abandoned(directory, prefix);
  const fs::path temporary = directory / (prefix + std::to_string(::getpid()));
  const Scaffold scaffold(temporary);
  build(temporary, fill);
  publish(temporary, file);
  flush_directory(directory);
}

}  // namespace aisp::store
