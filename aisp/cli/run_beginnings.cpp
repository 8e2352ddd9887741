// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/run_beginnings.h"

#include "aisp/cli/file_identity.h"
#include "aisp/cli/program_files.h"

namespace aisp::cli {
namespace {

constexpr std::size_t kMostRuns = 20'000;  // more are forgotten, and read again

std::string commit_of(const RunRecord& run) {
  for (const Fact& fact : run.manifest.facts) {
    if (fact.name == "git") return fact.value.value_or("");
  }
  return "";
}

}  // namespace

void RunBeginnings::look_at(const store::Store& results) {
  const std::string identity = identity_of(results.file());
  const std::lock_guard lock(mutex_);
  // Without a file, as of a server of databases, nobody can say whether it is the same.
  if (identity.empty() || identity != identity_ || known_.size() > kMostRuns) known_.clear();
  identity_ = identity;
}

Result<RunBeginnings::Known> RunBeginnings::find(store::Store& results, const std::string& id) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = known_.find(id); found != known_.end()) return found->second;
  }
  const auto run = results.load_start(id);
  if (!run) return run.error();
  if (!*run) return Known();  // not remembered: it may be on its way from another store
  const RunRecord& record = **run;
  const auto facts =
      std::make_shared<const HistoryRun>(HistoryRun{.id = id,
                                                    .started = record.started,
                                                    .commit = commit_of(record),
                                                    .programs = ProgramFiles::programs(record.manifest.facts),
                                                    .method = record.manifest.method,
                                                    .of_builds = !record.manifest.config.builds.empty()});
  const std::lock_guard lock(mutex_);
  return known_.emplace(id, facts).first->second;
}

}  // namespace aisp::cli
