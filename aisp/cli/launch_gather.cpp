// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/launch_gather.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <thread>

#include "aisp/harness/interrupt.h"
#include "aisp/store/merge.h"

namespace aisp::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kLateSeconds = 10;

std::optional<int> code_of(const Launch& launch, std::size_t task) {
  std::ifstream file(launch.folder / code_name(task));
  int code = 0;
  return file >> code ? std::optional(code) : std::nullopt;
}

/// One for each host, see launch_script.h.
std::vector<fs::path> parts_of(const Launch& launch) {
  std::vector<fs::path> parts;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(launch.folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("part-") && name.ends_with(".db")) parts.push_back(entry.path());
  }
  std::ranges::sort(parts);
  return parts;
}

/// Where the tasks write into the store themselves, their logs alone say which runs are theirs: "run ID is
/// stored in PLACE", the last line that `aisp run` prints of it.
std::vector<std::string> runs_in_log(const fs::path& log) {
  std::vector<std::string> runs;
  std::ifstream text(log);
  for (std::string line; std::getline(text, line);) {
    const std::size_t end = line.find(" is stored in ");
    if (line.starts_with("run ") && end != std::string::npos) runs.push_back(line.substr(4, end - 4));
  }
  return runs;
}

Status merge_part(const fs::path& part, store::Store& into, std::vector<std::string>& runs) {
  // For writing: results that could not be written at first wait beside it and are imported so.
  Result<store::Store> from = store::Store::open(part, store::Access::read_write);
  if (!from) return from.error();
  const Result<store::MergeReport> merged = store::merge(into, *from);
  if (!merged) return merged.error();
  runs.insert(runs.end(), merged->runs.begin(), merged->runs.end());
  return Ok{};
}

}  // namespace

std::size_t ended_tasks(const Launch& launch) {
  std::size_t ended = 0;
  // Listing the folder makes a network file system look again.
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(launch.folder, ignored))
    ended += entry.path().extension() == ".code" ? 1 : 0;
  return ended;
}

Gathered gather(const Launch& launch, store::Store& into) {
  for (int i = 0; i < kLateSeconds && ended_tasks(launch) < launch.slices.size(); ++i) {
    if (harness::interrupted() != 0) break;
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  Gathered gathered;
  for (std::size_t i = 0; i < launch.slices.size(); ++i) gathered.exit_codes.push_back(code_of(launch, i));
  for (const fs::path& part : launch.merges() ? parts_of(launch) : std::vector<fs::path>{}) {
    const Status merged = merge_part(part, into, gathered.runs);
    if (merged) continue;
    gathered.problems.push_back(merged.error());
    gathered.problems.back().message = part.string() + " is not merged: " + merged.error().message;
  }
  for (std::size_t i = 0; !launch.merges() && i < launch.slices.size(); ++i)
    for (std::string& run : runs_in_log(launch.folder / log_name(i))) gathered.runs.push_back(std::move(run));
  return gathered;
}

}  // namespace aisp::cli
