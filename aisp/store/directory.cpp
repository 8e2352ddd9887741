// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/directory.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace aisp::store {

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

Failure system_failure(const std::string& doing, const std::filesystem::path& path) {
  const int code = errno;
  const bool full = code == ENOSPC || code == EDQUOT || code == EFBIG;
  return {{ErrorCode::io, "cannot " + doing + " " + path.string() + ": " + std::strerror(code),
           full ? "free some space, or choose another store with --store or AISP_STORE"
                : "check its permissions, or choose another store with --store or AISP_STORE"}};
}

Failure no_store(const std::string& name) {
  return {{ErrorCode::store, "there is no store at " + name,
           "'aisp run' creates it; --store or AISP_STORE names another"}};
}

void make_directories(const std::filesystem::path& directory) {
  std::filesystem::path made;
  for (const auto& part : directory) {
    made /= part;
    struct stat status{};
    if (::stat(made.c_str(), &status) == 0) {
      if (S_ISDIR(status.st_mode)) continue;
      errno = ENOTDIR;
      throw system_failure("create the directory", made);
    }
    if (::mkdir(made.c_str(), 0700) != 0 && errno != EEXIST)
      throw system_failure("create the directory", made);
  }
}

void flush_directory(const std::filesystem::path& directory) {
  const Descriptor descriptor(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor) ::fsync(descriptor.get());
}

DirectoryLock::DirectoryLock(const std::filesystem::path& directory)
    : descriptor_(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (!descriptor_) return;
  while (::flock(descriptor_.get(), LOCK_EX) != 0 && errno == EINTR) {
  }
}

}  // namespace aisp::store
