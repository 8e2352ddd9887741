// SPDX-License-Identifier: Apache-2.0
/// \file
/// The files that a run executes, by content: the program itself, its plugins, the two builds it compares. A
/// path alone does not say what was measured.
///
///   ProgramFiles files(config);
///   for (Fact& fact : files.facts()) manifest.facts.push_back(fact);
///   const std::string before = files.hash(manifest.facts);   // what the run began with
///   const bool same = files.hash_now(manifest.facts) == before;
///
/// A file that was replaced and put back between two looks is not noticed here; what each worker loaded is
/// recorded by the workers.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "aisp/core/config.h"
#include "aisp/core/record.h"

namespace aisp::cli {

class ProgramFiles {
 public:
  explicit ProgramFiles(const RunConfig& config);

  /// SHA-256 of every file as it is now. Only files that are others or were written to since the last call
  /// are read again.
  std::vector<Fact> facts();

  /// Of the facts among these that are about files of a run; one text to compare.
  static std::string hash(const std::vector<Fact>& facts);
  /// The same for what those files hold now.
  std::string hash_now(const std::vector<Fact>& facts_at_start);

  /// SHA-256 of the program and its plugins among these facts, in their order; empty where one is not known.
  static std::vector<std::string> programs(const std::vector<Fact>& facts);
  /// SHA-256 of the old and of the new build; empty unless both are known.
  static std::vector<std::string> builds(const std::vector<Fact>& facts);

 private:
  struct File {
    std::string name, path;
  };
  /// Device, inode, size, modification and status change: another value means another content, perhaps.
  using Identity = std::array<std::int64_t, 7>;
  struct Known {
    Identity identity{};
    std::optional<std::string> sha256;
  };
  std::optional<std::string> sha256_of(const std::string& path);

  std::vector<File> files_;
  std::map<std::string, Known> known_;
};

}  // namespace aisp::cli
