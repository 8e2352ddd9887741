// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/expected_lines.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <list>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "aisp/cli/lower_case.h"
#include "aisp/harness/plan.h"

namespace aisp::cli {
namespace {

using report::Expectation;
using report::Expectations;

constexpr const char* kFileName = "expectations.json";
constexpr const char* kFolderName = "results";

Result<std::string> read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) return Error{ErrorCode::io, "cannot read " + file.string(), ""};
  return text.str();
}

bool same_row(const Expectation& a, const Expectation& b) {
  return a.workload == b.workload && a.parameters == b.parameters && a.device == b.device &&
         a.cache == b.cache && a.variant == b.variant;
}

/// Results of one's own, the newest of each cell; loaded once.
class OwnResults {
 public:
  OwnResults(store::Store* results, std::string hardware)
      : results_(results), hardware_(std::move(hardware)) {}

  const VariantResult* find(const Expectation& wanted) {
    if (results_ == nullptr) return nullptr;
    for (const CellResult& cell : loaded_) {
      if (fits(cell, wanted)) return cell.find(wanted.variant);
    }
    const auto cells = results_->cells(
        {.limit = 20, .workload = wanted.workload, .parameters = wanted.parameters, .hardware = hardware_});
    if (!cells) return nullptr;
    for (const store::CellSummary& summary : *cells) {
      Result<CellResult> cell = results_->load_cell(summary.seq);
      if (!cell || !fits(*cell, wanted)) continue;
      loaded_.push_back(*std::move(cell));
      return loaded_.back().find(wanted.variant);
    }
    return nullptr;
  }

 private:
  static bool fits(const CellResult& cell, const Expectation& wanted) {
    return cell.workload == wanted.workload && cell.parameters == wanted.parameters &&
           cell.cache == wanted.cache && !cell.as_graphs() &&
           cell.device.substr(0, cell.device.find(':')) == wanted.device;
  }
  store::Store* results_;
  std::string hardware_;
  std::list<CellResult> loaded_;  // results point into it
};

bool has_expectations(const std::filesystem::path& folder) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, ignored))
    if (entry.path().filename() == kFileName) return true;
  return false;
}

}  // namespace

Result<std::string> committed_results() {
  std::error_code failed;
  std::string looked;
  for (std::filesystem::path at = std::filesystem::current_path(failed); !failed; at = at.parent_path()) {
    const std::filesystem::path folder = at / kFolderName;
    if (has_expectations(folder)) return folder.string();
    looked += (looked.empty() ? "" : ", ") + folder.string();
    if (at == at.parent_path()) break;
  }
  return Error{
      ErrorCode::bad_input, "there are no committed results: no " + std::string(kFileName) + " in " + looked,
      "--from names the folder that has them; `aisp export --format expectations` makes one from a run"};
}

Result<std::vector<Expectations>> read_expectations(const std::string& folder) {
  std::vector<Expectations> all;
  std::error_code failed;
  std::filesystem::recursive_directory_iterator entries(folder, failed);
  if (failed)
    return Error{ErrorCode::bad_input, "cannot look into " + folder + ": " + failed.message(),
                 "--from names the folder with committed results"};
  for (const auto& entry : entries) {
    if (entry.path().filename() != kFileName || !entry.is_regular_file(failed)) continue;
    const Result<std::string> text = read_file(entry.path());
    if (!text) return text.error();
    Result<Expectations> parsed = report::parse_expectations(*text);
    if (!parsed)
      return Error{parsed.error().code, entry.path().string() + ": " + parsed.error().message,
                   parsed.error().hint};
    all.push_back(*std::move(parsed));
  }
  std::ranges::sort(all, {}, &Expectations::date);
  return all;
}

Result<std::string> hardware_named(const std::vector<Expectations>& all, const std::string& asked) {
  std::set<std::string> known, matching;
  for (const Expectations& each : all) {
    known.insert(each.hardware);
    if (each.hardware == asked) return asked;
    if (lower_case(each.hardware).find(lower_case(asked)) != std::string::npos)
      matching.insert(each.hardware);
  }
  if (matching.size() == 1) return *matching.begin();
  if (matching.empty())
    return Error{ErrorCode::bad_input, "there are no committed results for '" + asked + "'",
                 known.empty() ? "`aisp export --format expectations` makes them from a run"
                               : fmt::format("there are some for: {}", fmt::join(known, "; "))};
  return Error{ErrorCode::usage, "'" + asked + "' may mean several",
               fmt::format("{}", fmt::join(matching, "; "))};
}

std::vector<ExpectedLine> expected_lines(const std::vector<Expectations>& all, const std::string& hardware,
                                         store::Store* own, double min_speedup) {
  std::vector<ExpectedLine> lines;
  for (const Expectations& file : all) {
    if (file.hardware != hardware) continue;
    for (const Expectation& entry : file.entries) {
      std::erase_if(lines, [&](const ExpectedLine& line) { return same_row(line.expected, entry); });
      lines.push_back({.expected = entry, .date = file.date.substr(0, 10)});
    }
  }
  OwnResults results(own, hardware);
  for (ExpectedLine& line : lines) {
    const VariantResult* now = results.find(line.expected);
    line.standing = report::standing_of(line.expected, now);
    if (now != nullptr && now->speedup)
      line.now = Estimate{now->speedup->ratio, now->speedup->low, now->speedup->high};
    line.below = line.expected.best && line.expected.speedup && line.expected.speedup->low < min_speedup;
  }
  return lines;
}

std::vector<ExpectedLine> unmeasured_lines(const std::vector<harness::WorkloadInfo>& catalogue,
                                           const std::vector<ExpectedLine>& lines) {
  std::set<std::string> devices, measured;
  for (const ExpectedLine& line : lines) {
    devices.insert(line.expected.device);
    measured.insert(line.expected.device + ' ' + line.expected.workload + ' ' + line.expected.parameters);
  }
  std::vector<ExpectedLine> missing;
  for (const std::string& device : devices) {
    RunConfig config;
    config.device = device;
    for (const harness::WorkloadInfo& workload : catalogue) {
      if (name_of(workload.device) == device) config.targets.push_back(workload.id);
    }
    constexpr int kAnyCores = 1 << 20;
    const auto cells = harness::plan_cells(catalogue, config, kAnyCores);
    if (!cells) continue;
    for (const harness::PlannedCell& cell : *cells) {
      const std::string parameters = cell.params.text();
      if (!measured.contains(device + ' ' + cell.workload.id + ' ' + parameters))
        missing.push_back(
            {.expected = {.workload = cell.workload.id, .parameters = parameters, .device = device}});
    }
  }
  return missing;
}

}  // namespace aisp::cli
