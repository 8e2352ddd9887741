// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/confirm_changes.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>

#include "aisp/analysis/history.h"
#include "aisp/cli/compare_builds.h"
#include "aisp/cli/run_config.h"
#include "aisp/core/exit_code.h"
#include "aisp/harness/interrupt.h"

namespace aisp::cli {
namespace {

namespace fs = std::filesystem;

/// Path by SHA-256.
using Builds = std::map<std::string, std::string>;

Status add_build(const fs::path& path, Builds& builds) {
  const auto hash = file_sha256(path.string());
  if (!hash)
    return Error{ErrorCode::io, "cannot read " + path.string(),
                 "--builds names programs, plugins or folders"};
  builds.emplace(*hash, absolute_path(path.string()));
  return Ok{};
}

Result<Builds> read_builds(const std::vector<std::string>& paths) {
  Builds builds;
  for (const std::string& path : paths) {
    std::error_code failed;
    if (!fs::is_directory(path, failed)) {
      if (const Status added = add_build(path, builds); !added) return added.error();
      continue;
    }
    for (const auto& entry : fs::directory_iterator(path, failed)) {
      if (!entry.is_regular_file(failed)) continue;
      if (const Status added = add_build(entry.path(), builds); !added) return added.error();
    }
    if (failed)
      return Error{ErrorCode::io, "cannot look into " + path + ": " + failed.message(),
                   "--builds names programs, plugins or folders"};
  }
  return builds;
}

/// The nearest revisions on either side that differ in a file of which both versions are at hand.
std::optional<std::vector<std::string>> pair_for(const ExaminedSeries& each, const HistoryChange& change,
                                                 const Builds& builds) {
  const analysis::Revisions revisions = analysis::revisions_of(each, change);
  for (const HistoryPoint* before : revisions.before) {
    for (const HistoryPoint* behind : revisions.behind) {
      for (std::size_t i = 0; i < std::min(before->run->programs.size(), behind->run->programs.size()); ++i) {
        const auto old_build = builds.find(before->run->programs[i]),
                   new_build = builds.find(behind->run->programs[i]);
        if (old_build == builds.end() || new_build == builds.end() || old_build == new_build) continue;
        return std::vector<std::string>{old_build->second, new_build->second};
      }
    }
  }
  return std::nullopt;
}

/// What `aisp compare --build` would have been asked.
Arguments comparison_of(const Arguments& arguments, const HistorySeries& series) {
  Arguments asked = arguments;
  asked.positional = {series.workload};
  asked.values["param"].clear();
  std::istringstream sizes(series.parameters);
  for (std::string size; sizes >> size;) asked.values["param"].push_back(size);
  asked.values["variant"] = {series.variant};
  asked.values["device"] = {series.device};
  asked.values["cache"] = {series.cache};
  asked.values["suite"] = {"full"};
  return asked;
}

}  // namespace

Result<int> confirm_changes(const Arguments& arguments, std::span<const ExaminedSeries> examined,
                            const std::vector<std::string>& builds) {
  const Result<Builds> known = read_builds(builds);
  if (!known) return known.error();
  int code = 0;
  for (const ExaminedSeries& each : examined) {
    for (const HistoryChange& change : each.changes) {
      const bool open = change.status == ChangeStatus::suspected || change.status == ChangeStatus::unsettled;
      if (!open || !change.worse() || change.recovered || harness::interrupted() != 0) continue;
      const HistorySeries& series = each.series;
      const std::string what = series.workload + " " + series.parameters + " " + series.variant;
      const auto pair = pair_for(each, change, *known);
      if (!pair) {
        warn(arguments, what + ": the builds before and behind the change are not both among --builds");
        continue;
      }
      warn(arguments, what + ": measuring " + (*pair)[0] + " against " + (*pair)[1]);
      const Result<MeasuredPairs> measured = measure_builds(comparison_of(arguments, series), *pair);
      if (!measured) {
        code = worse_exit(code, fail(arguments, measured.error()));
      } else if (measured->storage_problem) {
        return *measured->storage_problem;
      }
    }
  }
  return harness::interrupted() != 0 ? 128 + harness::interrupted() : code;
}

}  // namespace aisp::cli
