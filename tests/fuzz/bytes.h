// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the fuzzers share: the bytes as text, a file in memory for readers that want a path, and a claim that
/// ends the program when it does not hold.
///
///   MemoryFile file;
///   file.write(data, size);
///   read_something(file.path());
#pragma once

#include <sys/mman.h>
#include <unistd.h>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace aisp::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// libFuzzer reports the abort with the input that led to it.
inline void claim(bool holds) {
  if (!holds) std::abort();
}

class MemoryFile {
 public:
  MemoryFile() : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) { claim(descriptor_ >= 0); }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  void write(const std::uint8_t* data, std::size_t size) const {
    claim(::ftruncate(descriptor_, 0) == 0);
    claim(::pwrite(descriptor_, data, size, 0) == static_cast<ssize_t>(size));
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace aisp::fuzz
