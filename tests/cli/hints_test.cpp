// SPDX-License-Identifier: Apache-2.0
// Advice that names a flag which does not exist sends people astray: every flag in a text of this program
// exists.
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "aisp/cli/command.h"

namespace aisp::cli {
namespace {

std::set<std::string> known_flags() {
  // Accepted before the tables are asked, or flags of other programs (ld, docker, git, sbatch, mpirun) that
  // texts rightly name.
  std::set<std::string> known{"--help",       "--version",   "--targets",   "--profile",  "--build-id",
                              "--cpus",       "--reverse",   "--array",     "--bind-to",  "--chdir",
                              "--dependency", "--exclusive", "--export",    "--job-name", "--map-by",
                              "--nodes",      "--ntasks",    "--open-mode", "--parsable", "--wrap"};
  for (const Command* command : commands()) {
    for (const auto* table : {&command->flags, &common_flags()}) {
      for (const Flag& flag : *table) {
        known.insert("--" + flag.name);
        if (!flag.alias.empty()) known.insert(flag.alias);
      }
    }
  }
  return known;
}

TEST(Hints, NameOnlyFlagsThatExist) {
  const std::set<std::string> known = known_flags();
  const std::regex literal(R"re("((?:[^"\\]|\\.)*)")re"), flag(R"re((?:^|[\s`(']|\\n)(--[a-z][a-z-]+))re");
  int seen = 0;
  const std::filesystem::path root = std::filesystem::path(AISP_SOURCE_DIR) / "aisp";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
    std::ifstream file(entry.path());
    int number = 0;
    for (std::string line; std::getline(file, line);) {
      ++number;
      if (line.find("--") == std::string::npos || line.find_first_not_of(' ') == line.find("//")) continue;
      for (std::sregex_iterator text(line.begin(), line.end(), literal), end; text != end; ++text) {
        const std::string content = (*text)[1];
        for (std::sregex_iterator found(content.begin(), content.end(), flag); found != end; ++found) {
          ++seen;
          EXPECT_TRUE(known.contains((*found)[1]))
              << (*found)[1] << " in " << entry.path() << " line " << number;
        }
      }
    }
  }
  EXPECT_GT(seen, 20) << "the texts were not found";
}

}  // namespace
}  // namespace aisp::cli
