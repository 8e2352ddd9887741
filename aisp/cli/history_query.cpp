// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/history_query.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>

#include "aisp/cli/catalogue.h"
#include "aisp/cli/hardware.h"
#include "aisp/cli/results.h"
#include "aisp/core/config.h"
#include "aisp/harness/plan.h"
#include "aisp/report/history_rows.h"
#include "aisp/store/figures.h"

namespace aisp::cli {
namespace {

/// A date, or a date and time, as results carry them: compared as text.
Status check_since(const std::string& since) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00Z";
  bool fits = since.empty() || (since.size() >= 10 && since.size() <= kForm.size());
  for (std::size_t i = 0; fits && i < since.size(); ++i)
    fits = kForm[i] == '0' ? std::isdigit(static_cast<unsigned char>(since[i])) != 0 : since[i] == kForm[i];
  const auto number = [&](std::size_t at, std::size_t digits) {
    return static_cast<unsigned>(std::stoul(since.substr(at, digits)));
  };
  if (fits && !since.empty()) {
    const std::chrono::year_month_day day{std::chrono::year(static_cast<int>(number(0, 4))),
                                          std::chrono::month(number(5, 2)), std::chrono::day(number(8, 2))};
    fits = day.ok();
  }
  if (fits) return Ok{};
  return Error{ErrorCode::usage, "--since '" + since + "' is not a date", "--since 2026-11-15"};
}

/// One id a line, as `git rev-list --reverse HEAD` prints them; "-" is stdin.
Result<std::vector<std::string>> read_commits(const std::string& path) {
  std::vector<std::string> commits;
  if (path.empty()) return commits;
  std::ifstream file;
  if (path != "-") file.open(path);
  std::istream& in = path == "-" ? std::cin : file;
  if (path != "-" && !file)
    return Error{ErrorCode::io, "cannot read " + path, "git rev-list --reverse HEAD > " + path};
  for (std::string word; in >> word;) commits.push_back(word);
  if (commits.empty())
    return Error{ErrorCode::bad_input, "--commits names no commit",
                 "git rev-list --reverse HEAD | aisp history --commits -"};
  return commits;
}

/// The names asked for, of workloads that this build has or of which there are results; none: all of them.
Result<std::vector<std::string>> chosen_workloads(const Arguments& arguments, store::Store* results) {
  std::vector<std::string> chosen;
  if (arguments.positional.empty()) return chosen;
  Result<std::vector<harness::WorkloadInfo>> catalogue = load_catalogue(arguments.list("plugin"));
  if (!catalogue) return catalogue.error();
  const auto measured =
      results != nullptr ? store::figure_workloads(*results) : Result(std::vector<std::string>{});
  if (!measured) return measured.error();
  for (const std::string& id : *measured) {
    const auto known = [&](const harness::WorkloadInfo& w) { return w.id == id; };
    if (std::ranges::any_of(*catalogue, known)) continue;
    catalogue->emplace_back();
    catalogue->back().id = id;
  }
  for (const std::string& target : arguments.positional) {
    const auto matches = harness::match_target(*catalogue, target);
    if (matches.empty()) return harness::no_match(*catalogue, target);
    for (const harness::WorkloadInfo* each : matches) chosen.push_back(each->id);
  }
  std::ranges::sort(chosen);
  chosen.erase(std::ranges::unique(chosen).begin(), chosen.end());
  return chosen;
}

}  // namespace

Result<HistoryQuery> history_query(const Arguments& arguments, store::Store* results) {
  HistoryQuery query;
  query.device = arguments.text("device");
  query.variants = arguments.list("variant");
  query.since = arguments.text("since");
  query.unproven = arguments.has("unproven");
  query.changed = arguments.has("changed");
  if (const Status fits = check_since(query.since); !fits) return fits.error();
  const auto commits = read_commits(arguments.text("commits"));
  if (!commits) return commits.error();
  query.commits = *commits;
  if (!arguments.has("hardware")) {
    const Result<std::string> here = hardware_of(query.device);
    if (!here) return here.error();
    query.hardware = *here;
    return query;
  }
  if (arguments.has("builds"))
    return Error{ErrorCode::usage, "--builds are measured on this machine, not on --hardware",
                 "leave out one of the two"};
  std::optional<store::Store> opened;
  if (results == nullptr) {
    Result<store::Store> own = open_store(arguments, store::Access::read_only);
    if (!own) return own.error();
    results = &opened.emplace(*std::move(own));
  }
  const Result<std::string> named = hardware_in(*results, arguments.text("hardware"));
  if (!named) return named.error();
  query.hardware = *named;
  // The name of a GPU says where: nobody should have to say it twice.
  if (query.device == RunConfig{}.device) query.device.clear();
  return query;
}

Result<LookedBack> look_back(store::Store* results, const Arguments& arguments, HistoryQuery query,
                             const analysis::HistoryOptions& options, RunBeginnings& beginnings) {
  const Result<std::vector<std::string>> workloads = chosen_workloads(arguments, results);
  if (!workloads) return workloads.error();
  LookedBack looked;
  if (results == nullptr) return looked;
  query.workloads = *workloads;
  const auto pairs = stored_pairs(*results, query, beginnings);
  if (!pairs) return pairs.error();
  const auto look = [&](HistorySeries&& series) {
    ++looked.series;
    looked.points += static_cast<int>(series.points.size());
    looked.tested += !report::young(series);
    ExaminedSeries examined = analysis::examine(std::move(series), options);
    if (query.changed && examined.changes.empty() && examined.drifts.empty()) return;
    analysis::settle(examined, *pairs);
    looked.examined.push_back(std::move(examined));
  };
  const Result<HistoryLeftOut> left_out = each_series(*results, query, beginnings, look);
  if (!left_out) return left_out.error();
  looked.left_out = *left_out;
  return looked;
}

}  // namespace aisp::cli
