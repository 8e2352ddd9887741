// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/stored_history.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "aisp/cli/compare_builds.h"
#include "aisp/cli/lower_case.h"
#include "aisp/cli/program_files.h"
#include "aisp/harness/build_cell.h"
#include "aisp/store/feed.h"
#include "aisp/store/past_figures.h"

namespace aisp::cli {
namespace {

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
std::optional<Estimate> figure_over_time(const store::PastFigure& past) {
  const bool timed = past.goal == Goal::speed || past.goal == Goal::latency;
  const std::optional<Estimate>& figure = past.figure || !timed ? past.figure : past.time_ns;
  if (!figure || !std::isfinite(figure->value) || !(figure->value > 0)) return std::nullopt;
  return figure;
}

bool chosen(const HistoryQuery& query, const std::string& variant) {
  return query.variants.empty() || std::ranges::find(query.variants, variant) != query.variants.end();
}

/// The beginnings of runs, each looked up once for a question.
class Runs {
 public:
  Runs(store::Store& results, const HistoryQuery& query, RunBeginnings& beginnings)
      : results_(results), query_(query), beginnings_(beginnings) {
    beginnings_.look_at(results);
  }

  struct Found {
    RunBeginnings::Known facts;  ///< null for a run without a beginning, or from before the time asked for
    std::optional<std::size_t> place;  ///< in the order asked for
  };
  /// The id must stay where it is as long as this lives: its address stands for it.
  const Found& find(std::string_view id) {
    auto [at, is_new] = found_.try_emplace(id.data());
    if (is_new) at->second = read(std::string(id));
    return at->second;
  }
  /// The first thing that could not be read.
  const Status& status() const { return status_; }

 private:
  Found read(const std::string& id) {
    const Result<RunBeginnings::Known> known = beginnings_.find(results_, id);
    if (!known) {
      if (status_) status_ = known.error();
      return {};
    }
    // Texts of the same form: a later date is a greater text.
    if (!*known || (*known)->started < query_.since) return {};
    if (query_.commits.empty()) return {*known, 0};
    return {*known, place_of((*known)->commit, query_.commits)};
  }

  store::Store& results_;
  const HistoryQuery& query_;
  RunBeginnings& beginnings_;
  std::unordered_map<const char*, Found> found_;
  Status status_ = Ok{};
};

class SeriesOf {
 public:
  SeriesOf(const HistoryQuery& query, Runs& runs, HistoryLeftOut& left_out)
      : query_(query), runs_(runs), left_out_(left_out) {}

  HistorySeries operator()(store::PastFigures&& past) {
    struct Placed {
      std::size_t place = 0;
      HistoryPoint point;
    };
    HistorySeries series;
    std::vector<Placed> points;
    points.reserve(past.figures.size());
    for (store::PastFigure& each : past.figures) {
      const auto& [run, place] = runs_.find(each.run);
      if (run == nullptr || run->of_builds) continue;
      const auto figure = figure_over_time(each);
      const bool accepted =
          each.validity == Validity::valid || (query_.unproven && each.validity == Validity::unproven);
      left_out_.not_valid += !accepted;
      left_out_.not_listed += accepted && !place;
      if (!accepted || !place || !figure) continue;
      series.goal = each.goal;
      if (each.finished.empty()) each.finished = run->started;
      points.push_back({*place, {.run = run, .time = std::move(each.finished), .value = *figure}});
    }
    const auto earlier = [](const Placed& a, const Placed& b) {
      return std::tie(a.place, a.point.time) < std::tie(b.place, b.point.time);
    };
    // Most are: they come as they were stored.
    if (!std::ranges::is_sorted(points, earlier)) std::ranges::stable_sort(points, earlier);
    series.points.reserve(points.size());
    for (Placed& placed : points) series.points.push_back(std::move(placed.point));
    series.hardware = std::move(past.hardware);
    series.workload = std::move(past.workload);
    series.parameters = std::move(past.parameters);
    series.device = std::move(past.device);
    series.cache = std::move(past.cache);
    series.variant = std::move(past.variant);
    return series;
  }

 private:
  const HistoryQuery& query_;
  Runs& runs_;
  HistoryLeftOut& left_out_;
};

store::PastQuery past_query(const HistoryQuery& query, const std::string& variant_begins = "") {
  return {.workloads = query.workloads,
          .hardware = query.hardware,
          .device = query.device,
          .variant_begins = variant_begins};
}

void take_pairs(const HistoryQuery& query, const RunRecord& run, std::vector<PairedRevisions>& pairs) {
  const std::vector<std::string> builds = ProgramFiles::builds(run.manifest.facts);
  if (builds.size() != 2) return;
  const RunConfig& config = run.manifest.config;
  const stats::SequentialPlan plan(config.looks, config.alpha);
  const std::string old_label = harness::kBuildLabels[0];
  for (const CellResult& cell : run.cells) {
    for (const VariantResult& variant : cell.variants) {
      if (!variant.name.starts_with(old_label)) continue;
      const std::string name = variant.name.substr(old_label.size());
      const auto line = build_line(cell, name, plan, config.equivalence);
      if (!line || !chosen(query, name)) continue;
      pairs.push_back({.run = run.id,
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
}

}  // namespace

Result<std::string> hardware_in(store::Store& results, const std::string& asked) {
  const Result<std::vector<std::string>> names_known = store::hardware_with_results(results);
  if (!names_known) return names_known.error();
  std::set<std::string> found;
  for (const std::string& name : *names_known)
    if (lower_case(name).find(lower_case(asked)) != std::string::npos) found.insert(name);
  if (found.contains(asked)) return asked;
  if (found.size() == 1) return *found.begin();
  if (found.empty())
    return Error{ErrorCode::bad_input, "the store has no results of hardware '" + asked + "'",
                 "`aisp show --runs --json` names the hardware of every run"};
  std::string names;
  for (const std::string& name : found) names += (names.empty() ? "" : "; ") + name;
  return Error{ErrorCode::usage, "'" + asked + "' could be any of: " + names, "give more of the name"};
}

Result<HistoryLeftOut> each_series(store::Store& results, const HistoryQuery& query,
                                   RunBeginnings& beginnings,
                                   const std::function<void(HistorySeries&&)>& visit) {
  HistoryLeftOut left_out;
  Runs runs(results, query, beginnings);
  SeriesOf series_of(query, runs, left_out);
  const Status read = store::each_past(results, past_query(query), [&](store::PastFigures&& past) {
    if (!chosen(query, past.variant)) return;
    HistorySeries series = series_of(std::move(past));
    if (!series.points.empty()) visit(std::move(series));
  });
  if (!read) return read.error();
  if (!runs.status()) return runs.status().error();
  return left_out;
}

Result<std::vector<PairedRevisions>> stored_pairs(store::Store& results, const HistoryQuery& query,
                                                  RunBeginnings& beginnings) {
  std::map<std::int64_t, std::string, std::greater<>> places;  // newest first
  const auto note = [&](store::PastFigures&& past) {
    for (const store::PastFigure& each : past.figures) places.emplace(each.seq, each.run);
  };
  const Status read = store::each_past(results, past_query(query, harness::kBuildLabels[0]), note);
  if (!read) return read.error();
  Runs runs(results, query, beginnings);
  std::set<std::string> taken;
  std::vector<PairedRevisions> pairs;
  for (const auto& [seq, id] : places) {
    const RunBeginnings::Known& facts = runs.find(id).facts;
    if (facts == nullptr || !facts->of_builds || !taken.insert(id).second) continue;
    const Result<RunRecord> run = results.load(id);
    if (!run) return run.error();
    take_pairs(query, *run, pairs);
  }
  if (!runs.status()) return runs.status().error();
  return pairs;
}

}  // namespace aisp::cli
