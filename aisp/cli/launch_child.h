// SPDX-License-Identifier: Apache-2.0
/// \file
/// sbatch or mpirun, started and waited for.
///
///   Result<LaunchChild> child = LaunchChild::start({"/usr/bin/sbatch", "--parsable", script}, output);
///   const int code = child->wait([&] { ... });    // called now and then meanwhile
///
/// Its standard output goes to a file, which is read while it runs; what it says on stderr the user sees.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "aisp/core/result.h"

namespace aisp::cli {

class LaunchChild {
 public:
  static Result<LaunchChild> start(std::vector<std::string> words, const std::filesystem::path& output);

  /// The exit code, 128 + the signal that ended it. Once this process is asked to stop, so is the child, and
  /// killed if it stays for 20 s.
  int wait(const std::function<void()>& meanwhile) const;

 private:
  explicit LaunchChild(pid_t pid) : pid_(pid) {}
  pid_t pid_;
};

}  // namespace aisp::cli
