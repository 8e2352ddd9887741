// SPDX-License-Identifier: Apache-2.0
/// \file
/// A folder that stands for the root of a file system: what /proc and /sys of another machine would say.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace aisp::probes {

class FakeRoot {
 public:
  FakeRoot() {
    std::string pattern = (std::filesystem::temp_directory_path() / "aisp-root-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~FakeRoot() { std::filesystem::remove_all(folder_); }
  FakeRoot(const FakeRoot&) = delete;
  FakeRoot& operator=(const FakeRoot&) = delete;

  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(folder_ + path).parent_path());
    std::ofstream(folder_ + path) << text;
  }
  const std::string& folder() const { return folder_; }

  /// A process two groups deep in a unified hierarchy.
  void unified() const {
    write("/proc/self/cgroup", "0::/user/job\n");
    write("/proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n");
    write("/proc/meminfo", "MemTotal: 64000000 kB\nMemAvailable:   48828125 kB\n");  // 50 GB
  }

 private:
  std::string folder_;
};

}  // namespace aisp::probes
