// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which file a path leads to now: changes when another file takes the name, as after `store prune`.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <string>

namespace aisp::cli {

/// Empty where there is no such file.
inline std::string identity_of(const std::filesystem::path& file) {
  struct stat found{};
  if (stat(file.c_str(), &found) != 0) return "";
  return std::to_string(found.st_dev) + ":" + std::to_string(found.st_ino);
}

}  // namespace aisp::cli
