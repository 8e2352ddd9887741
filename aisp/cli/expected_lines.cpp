// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/expected_lines.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "aisp/cli/lower_case.h"
#include "aisp/harness/plan.h"
#include "aisp/store/figures.h"
#include "aisp/store/past_figures.h"

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

/// Results of one's own on this hardware, as every analysis takes them: of each variant the latest valid one,
/// whatever run it is of. What a guard rejected since then is rejected: a row is worse where something broke.
class OwnResults {
 public:
  static Result<OwnResults> read(store::Store* results, const std::string& hardware,
                                 const std::vector<std::string>& workloads) {
    OwnResults own;
    if (results == nullptr || workloads.empty()) return own;
    auto figures = store::latest_figures(*results, {.workloads = workloads, .hardware = hardware});
    if (!figures) return figures.error();
    own.figures_ = *std::move(figures);
    // Asked for by a part of the name.
    std::erase_if(own.figures_, [&](const Figure& figure) { return figure.hardware != hardware; });
    if (const Status looked = own.note_rejected(*results, hardware); !looked) return looked.error();
    return own;
  }

  const Figure* find(const Expectation& wanted) const {
    const Figure* found = nullptr;
    for (const Figure& figure : figures_) {
      const bool fits = figure.workload == wanted.workload && figure.parameters == wanted.parameters &&
                        figure.cache == wanted.cache && figure.variant == wanted.variant &&
                        figure.device.substr(0, figure.device.find(':')) == wanted.device;
      if (fits && (found == nullptr || figure.seq > found->seq)) found = &figure;
    }
    return found;
  }

 private:
  /// Figures know that something later is not valid; whether a guard rejected it says their history.
  Status note_rejected(store::Store& results, const std::string& hardware) {
    std::set<std::string> names;
    for (const Figure& figure : figures_)
      if (!figure.newest) names.insert(figure.workload);
    if (names.empty()) return Ok{};
    return store::each_past(results, {.workloads = {names.begin(), names.end()}, .hardware = hardware},
                            [&](store::PastFigures&& past) {
                              const Validity last = past.figures.back().validity;
                              if (last != Validity::invalid && last != Validity::failed) return;
                              for (Figure& figure : figures_)
                                if (is_about(past, figure)) figure.validity = last;
                            });
  }
  static bool is_about(const store::PastFigures& past, const Figure& figure) {
    return past.workload == figure.workload && past.parameters == figure.parameters &&
           past.device == figure.device && past.cache == name_of(figure.cache) &&
           past.variant == figure.variant;
  }

  std::vector<Figure> figures_;
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
  if (all.empty())
    return Error{ErrorCode::bad_input,
                 "there is no " + std::string(kFileName) + " in " + folder + ", nor in a folder below it",
                 "--from names the folder with committed results; `aisp export --format expectations` makes "
                 "one from a run"};
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
                 fmt::format("there are some for: {}", fmt::join(known, "; "))};
  return Error{ErrorCode::usage, "'" + asked + "' may mean several",
               fmt::format("{}", fmt::join(matching, "; "))};
}

Result<std::vector<ExpectedLine>> expected_lines(const std::vector<Expectations>& all,
                                                 const std::string& hardware, store::Store* own,
                                                 double min_speedup) {
  std::vector<ExpectedLine> lines;
  std::set<std::string> workloads;
  for (const Expectations& file : all) {
    if (file.hardware != hardware) continue;
    for (const Expectation& entry : file.entries) {
      std::erase_if(lines, [&](const ExpectedLine& line) { return same_row(line.expected, entry); });
      lines.push_back({.expected = entry, .date = file.date.substr(0, 10)});
      workloads.insert(entry.workload);
    }
  }
  const auto results = OwnResults::read(own, hardware, {workloads.begin(), workloads.end()});
  if (!results) return results.error();
  for (ExpectedLine& line : lines) {
    const Figure* now = results->find(line.expected);
    line.standing = report::standing_of(line.expected, now);
    if (now != nullptr) {
      line.now = now->gain;
      line.run = now->run;
    }
    line.below = line.expected.best && line.expected.speedup && line.expected.speedup->low < min_speedup;
  }
  return lines;
}

bool size_before(std::string_view a, std::string_view b) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto number = [&](std::string_view& rest) {
    const auto end = std::ranges::find_if_not(rest, is_digit);
    std::string_view digits = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
    rest.remove_prefix(digits.size());
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    return std::pair(digits.size(), digits);
  };
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const auto first = number(a), second = number(b);
      if (first != second) return first < second;
      continue;
    }
    if (a.front() != b.front()) return a.front() < b.front();
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return a.size() < b.size();
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
