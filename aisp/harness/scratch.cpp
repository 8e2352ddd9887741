// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/scratch.h"

#include <cstdlib>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace aisp::harness {
namespace {

namespace fs = std::filesystem;
constexpr const char* kPrefix = "aisp-scratch-";

/// Opens and locks a directory; -1 when somebody else holds it. The kernel releases the lock with its owner,
/// however that ended.
int lock_directory(const fs::path& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return -1;
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  close(fd);
  return -1;
}

/// Removes what killed owners left. Only directories of this user, and only those nobody holds.
void sweep(const fs::path& base) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(base, ignored)) {
    if (entry.path().filename().string().rfind(kPrefix, 0) != 0) continue;
    const int fd = lock_directory(entry.path());
    if (fd < 0) continue;
    struct stat facts{};
    if (fstat(fd, &facts) == 0 && facts.st_uid == geteuid()) fs::remove_all(entry.path(), ignored);
    close(fd);
  }
}

}  // namespace

Result<Scratch> Scratch::make() {
  std::error_code error;
  const fs::path base = fs::temp_directory_path(error);
  // Systems without /tmp mostly still have /dev/shm.
  for (const auto& directory : {error ? fs::path("/tmp") : base, fs::path("/dev/shm")}) {
    sweep(directory);
    // Between the making and the locking another process may take the new directory for a forgotten one.
    for (int attempt = 0; attempt < 3; ++attempt) {
      std::string pattern = (directory / kPrefix).string() + "XXXXXX";
      if (mkdtemp(pattern.data()) == nullptr) break;
      const int lock = lock_directory(pattern);
      if (lock >= 0 && fs::exists(pattern, error)) return Scratch(pattern, lock);
      if (lock >= 0) close(lock);
    }
  }
  return Error{ErrorCode::io, "no directory for temporary files in " + base.string(),
               "set TMPDIR to a directory that can be written"};
}

Scratch::~Scratch() {
  if (path_.empty()) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (lock_ >= 0) close(lock_);
}

}  // namespace aisp::harness
