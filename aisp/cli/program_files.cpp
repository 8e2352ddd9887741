// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/program_files.h"

#include <algorithm>

#include <sys/stat.h>

#include "aisp/cli/run_config.h"
#include "aisp/wire/hash.h"

namespace aisp::cli {
namespace {

constexpr const char* kPrefix = "SHA-256 of ";
constexpr const char *kProgram = "aisp", *kPlugin = "plugin ";
constexpr const char *kOldBuild = "the old build ", *kNewBuild = "the new build ";

/// Of every fact whose file's name begins so; empty where one could not be read.
std::vector<std::string> hashes(const std::vector<Fact>& facts, const std::vector<std::string>& beginnings) {
  std::vector<std::string> found;
  for (const Fact& fact : facts) {
    for (const std::string& beginning : beginnings) {
      if (!fact.name.starts_with(kPrefix + beginning)) continue;
      if (!fact.value) return {};
      found.push_back(*fact.value);
    }
  }
  return found;
}

}  // namespace

ProgramFiles::ProgramFiles(const RunConfig& config) {
  // Workers are started from this link, which names the running program even when its file is replaced.
  files_.push_back({kProgram, "/proc/self/exe"});
  for (const std::string& plugin : config.plugins) files_.push_back({kPlugin + plugin, plugin});
  for (std::size_t i = 0; i < config.builds.size(); ++i)
    files_.push_back({(i == 0 ? kOldBuild : kNewBuild) + config.builds[i], config.builds[i]});
}

std::optional<std::string> ProgramFiles::sha256_of(const std::string& path) {
  struct stat s{};
  if (stat(path.c_str(), &s) != 0) return std::nullopt;
  const Identity identity{static_cast<std::int64_t>(s.st_dev),
                          static_cast<std::int64_t>(s.st_ino),
                          s.st_size,
                          s.st_mtim.tv_sec,
                          s.st_mtim.tv_nsec,
                          s.st_ctim.tv_sec,
                          s.st_ctim.tv_nsec};
  Known& known = known_[path];
  if (!known.sha256 || known.identity != identity) known = {identity, file_sha256(path)};
  return known.sha256;
}

std::vector<Fact> ProgramFiles::facts() {
  std::vector<Fact> facts;
  for (const File& file : files_) facts.push_back({kPrefix + file.name, sha256_of(file.path)});
  return facts;
}

std::string ProgramFiles::hash(const std::vector<Fact>& facts) {
  std::string text;
  for (const Fact& fact : facts) {
    if (fact.name.starts_with(kPrefix)) text += fact.name + " " + fact.value.value_or("unreadable") + "\n";
  }
  return text.empty() ? "" : sha256_hex(text);
}

std::vector<std::string> ProgramFiles::programs(const std::vector<Fact>& facts) {
  return hashes(facts, {kProgram, kPlugin});
}

std::vector<std::string> ProgramFiles::builds(const std::vector<Fact>& facts) {
  std::vector<std::string> found = hashes(facts, {kOldBuild, kNewBuild});
  if (found.size() != 2) found.clear();
  return found;
}

std::string ProgramFiles::hash_now(const std::vector<Fact>& facts_at_start) {
  const std::vector<Fact> now = facts();
  std::vector<Fact> same_names;  // a run begun by an older aisp, and resumed, knows fewer files
  for (const Fact& fact : facts_at_start) {
    const auto found = std::ranges::find(now, fact.name, &Fact::name);
    if (fact.name.starts_with(kPrefix))
      same_names.push_back({fact.name, found == now.end() ? std::nullopt : found->value});
  }
  return hash(same_names);
}

}  // namespace aisp::cli
