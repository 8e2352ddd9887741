// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/stored_history.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "aisp/cli/compare_builds.h"
#include "aisp/cli/program_files.h"
#include "aisp/harness/build_cell.h"

namespace aisp::cli {
namespace {

constexpr std::size_t kPage = 200;

using Key = std::tuple<std::string, std::string, std::string, std::string, std::string>;

std::string commit_of(const RunRecord& run) {
  for (const Fact& fact : run.manifest.facts) {
    if (fact.name == "git") return fact.value.value_or("");
  }
  return "";
}

/// Where the commit stands in the order asked for. What a build wrote down is an abbreviation, perhaps behind
/// a tag ("v1.2-14-gabc123") and perhaps dirty; a dirty build is of no commit.
std::optional<std::size_t> place_of(const std::string& commit, const std::vector<std::string>& order) {
  const std::size_t tag = commit.rfind("-g");
  const std::string id = tag == std::string::npos ? commit : commit.substr(tag + 2);
  if (id.size() < 7 || id.find('-') != std::string::npos) return std::nullopt;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i].starts_with(id)) return i;
  }
  return std::nullopt;
}

/// What the goal compares where it is known and positive.
std::optional<Estimate> figure_over_time(const CellResult& cell, const VariantResult& variant) {
  const bool timed = cell.goal == Goal::speed || cell.goal == Goal::latency;
  const std::optional<Estimate>& figure = variant.figure || !timed ? variant.figure : variant.time_ns;
  if (!figure || !std::isfinite(figure->value) || !(figure->value > 0)) return std::nullopt;
  return figure;
}

class Reading {
 public:
  Reading(const HistoryQuery& query, StoredHistory& history) : query_(query), history_(history) {}

  void take(const RunRecord& run) {
    const std::vector<std::string> builds = ProgramFiles::builds(run.manifest.facts);
    for (const CellResult& cell : run.cells) {
      if (!query_.device.empty() && cell.device != query_.device) continue;
      if (run.manifest.config.builds.empty()) {
        take_points(run, cell);
      } else if (builds.size() == 2) {
        take_pairs(run, cell, builds);
      }
    }
  }

  void finish() {
    for (auto& [key, places] : by_key_) {
      std::ranges::stable_sort(places.points, [](const Placed& a, const Placed& b) {
        return std::tie(a.place, a.point.time) < std::tie(b.place, b.point.time);
      });
      for (Placed& placed : places.points) places.series.points.push_back(std::move(placed.point));
      history_.series.push_back(std::move(places.series));
    }
  }

 private:
  struct Placed {
    std::size_t place = 0;
    HistoryPoint point;
  };
  struct Places {
    HistorySeries series;
    std::vector<Placed> points;
  };

  bool chosen(const std::string& variant) const {
    return query_.variants.empty() || std::ranges::find(query_.variants, variant) != query_.variants.end();
  }

  void take_points(const RunRecord& run, const CellResult& cell) {
    const std::string commit = commit_of(run);
    const auto place =
        query_.commits.empty() ? std::optional<std::size_t>(0) : place_of(commit, query_.commits);
    for (const VariantResult& variant : cell.variants) {
      if (!variant.skipped.empty() || !chosen(variant.name)) continue;
      const auto figure = figure_over_time(cell, variant);
      const bool accepted =
          variant.validity == Validity::valid || (query_.unproven && variant.validity == Validity::unproven);
      history_.not_valid += !accepted;
      history_.not_listed += accepted && !place;
      if (!accepted || !place || !figure) continue;
      const Key key{cell.workload, cell.parameters, cell.device, std::string(name_of(cell.cache)),
                    variant.name};
      Places& places = by_key_[key];
      places.series.hardware = run.manifest.hardware;
      std::tie(places.series.workload, places.series.parameters, places.series.device, places.series.cache,
               places.series.variant) = key;
      places.series.goal = cell.goal;
      places.points.push_back({*place,
                               {.run = run.id,
                                .time = cell.finished.empty() ? run.started : cell.finished,
                                .commit = commit,
                                .programs = ProgramFiles::programs(run.manifest.facts),
                                .method = run.manifest.method,
                                .value = *figure}});
    }
  }

  void take_pairs(const RunRecord& run, const CellResult& cell, const std::vector<std::string>& builds) {
    const RunConfig& config = run.manifest.config;
    const stats::SequentialPlan plan(config.looks, config.alpha);
    for (const VariantResult& variant : cell.variants) {
      const std::string old_label = harness::kBuildLabels[0];
      if (!variant.name.starts_with(old_label)) continue;
      const std::string name = variant.name.substr(old_label.size());
      const auto line = build_line(cell, name, plan, config.equivalence);
      if (!line || !chosen(name)) continue;
      history_.paired.push_back({.run = run.id,
                                 .finished = cell.finished,
                                 .old_program = builds[0],
                                 .new_program = builds[1],
                                 .workload = cell.workload,
                                 .parameters = cell.parameters,
                                 .device = cell.device,
                                 .cache = std::string(name_of(cell.cache)),
                                 .variant = name,
                                 .validity = line->validity,
                                 .ratio = line->ratio});
    }
  }

  const HistoryQuery& query_;
  StoredHistory& history_;
  std::map<Key, Places> by_key_;
};

/// Newest first, of one hardware or of all.
Status each_run(store::Store& results, const std::string& hardware,
                const std::function<Status(const store::RunSummary&)>& visit) {
  std::string before;
  while (true) {
    const auto page = results.list({.limit = kPage, .before = before, .workload = {}, .hardware = hardware});
    if (!page) return page.error();
    for (const store::RunSummary& summary : *page) {
      if (const Status visited = visit(summary); !visited) return visited;
    }
    if (page->size() < kPage) return Ok{};
    before = page->back().id;
  }
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

Result<std::string> hardware_in(store::Store& results, const std::string& asked) {
  std::set<std::string> found;
  const Status read = each_run(results, "", [&](const store::RunSummary& run) -> Status {
    if (lower(run.hardware).find(lower(asked)) != std::string::npos) found.insert(run.hardware);
    return Ok{};
  });
  if (!read) return read.error();
  if (found.contains(asked)) return asked;
  if (found.size() == 1) return *found.begin();
  if (found.empty())
    return Error{ErrorCode::bad_input, "the store has no results of hardware '" + asked + "'",
                 "`aisp show --runs --json` names the hardware of every run"};
  std::string names;
  for (const std::string& name : found) names += (names.empty() ? "" : "; ") + name;
  return Error{ErrorCode::usage, "'" + asked + "' could be any of: " + names, "give more of the name"};
}

Result<StoredHistory> stored_history(store::Store& results, const HistoryQuery& query) {
  StoredHistory history;
  Reading reading(query, history);
  const Status read = each_run(results, query.hardware, [&](const store::RunSummary& summary) -> Status {
    // Texts of the same form: a later date is a greater text.
    if (summary.started < query.since) return Ok{};
    const Result<RunRecord> run = results.load(summary.id);
    if (!run) return run.error();
    reading.take(*run);
    return Ok{};
  });
  if (!read) return read.error();
  reading.finish();
  return history;
}

}  // namespace aisp::cli
