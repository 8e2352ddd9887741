// SPDX-License-Identifier: Apache-2.0
/// \file
/// The directory a store lives in: made on demand, locked while files in it change places, flushed so that a
/// rename survives a power cut.
///
///   make_directories(file.parent_path());
///   DirectoryLock lock(file.parent_path());   // creation and recovery, one process at a time
///
/// The lock is on the directory itself, so no lock file is left behind.
#pragma once

#include <filesystem>
#include <string>

#include "aisp/store/failure.h"

namespace aisp::store {

/// Closes on destruction.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_;
};

/// The failure of a system call on `path`, with errno's text.
Failure system_failure(const std::string& doing, const std::filesystem::path& path);

/// Nothing is there, and nothing was to be created.
Failure no_store(const std::string& name);

/// Creates what is missing, readable by the user alone.
void make_directories(const std::filesystem::path& directory);

/// Makes names created, renamed or removed in it durable. File systems that cannot are left alone.
void flush_directory(const std::filesystem::path& directory);

class DirectoryLock {
 public:
  /// Waits. A file system without locks gives none; creation is then still atomic, only not serialised.
  explicit DirectoryLock(const std::filesystem::path& directory);

 private:
  Descriptor descriptor_;
};

}  // namespace aisp::store
