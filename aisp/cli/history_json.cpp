// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/history_json.h"

#include <algorithm>
#include <map>
#include <vector>

#include "aisp/report/history_rows.h"

namespace aisp::cli {
namespace {

/// The runs that points come from, each once: what points share is half of a long answer.
class ListedRuns {
 public:
  /// The place of a run in the list.
  std::size_t place_of(const HistoryRun& run) {
    const auto [found, is_new] = places_.try_emplace(&run, list_.size());
    if (is_new)
      list_.push_back({{"run", run.id},
                       {"commit", printable_utf8(run.commit)},
                       {"programs", run.programs},
                       {"method", run.method}});
    return found->second;
  }
  Json list() && { return std::move(list_); }

 private:
  std::map<const HistoryRun*, std::size_t> places_;
  Json list_ = Json::array();
};

/// Put together by hand: there are thousands of them in an answer, and a list in braces copies all it holds.
Json json_of(const HistoryPoint& point, ListedRuns& runs) {
  Json json = Json::object();
  auto& fields = json.get_ref<Json::object_t&>();
  fields.reserve(3);
  fields.emplace_back("run", runs.place_of(*point.run));
  fields.emplace_back("time", printable_utf8(point.time));
  fields.emplace_back("value", to_json(point.value));
  return json;
}

Json json_of(const std::optional<PairedRevisions>& paired) {
  if (!paired) return nullptr;
  return {{"run", paired->run},
          {"finished", printable_utf8(paired->finished)},
          {"old_program", paired->old_program},
          {"new_program", paired->new_program},
          {"validity", std::string(name_of(paired->validity))},
          {"ratio", to_json(paired->ratio)}};
}

/// Places count from the point `first` on.
Json json_of(const HistoryChange& change, std::size_t first) {
  return {{"at", change.at - first},
          {"last_old", change.last_old - first},
          {"first_new", change.first_new - first},
          {"p_value", change.p_value},
          {"before", change.before},
          {"after", change.after},
          {"ratio", change.ratio},
          {"worse", change.worse()},
          {"recovered", change.recovered},
          {"status", std::string(name_of(change.status))},
          {"alerts", change.alerts()},
          {"paired", json_of(change.paired)}};
}

Json json_of(const ExaminedSeries& each, std::size_t most, ListedRuns& runs) {
  const HistorySeries& series = each.series;
  const std::size_t first = series.points.size() - std::min(series.points.size(), most);
  Json json{{"workload", printable_utf8(series.workload)},
            {"parameters", printable_utf8(series.parameters)},
            {"device", printable_utf8(series.device)},
            {"cache", series.cache},
            {"variant", printable_utf8(series.variant)},
            {"goal", std::string(name_of(series.goal))},
            {"points", Json::array()},
            {"points_before", first},
            {"changes", Json::array()},
            {"changes_before", 0},
            {"drifts", Json::array()}};
  auto& points = json["points"].get_ref<Json::array_t&>();
  points.reserve(series.points.size() - first);
  for (std::size_t i = first; i < series.points.size(); ++i)
    points.push_back(json_of(series.points[i], runs));
  int before = 0;
  for (const HistoryChange& change : each.changes) {
    if (change.last_old < first) {
      ++before;
    } else {
      json["changes"].push_back(json_of(change, first));
    }
  }
  json["changes_before"] = before;
  for (const HistoryDrift& drift : each.drifts) {
    if (drift.end <= first) continue;
    json["drifts"].push_back({{"begin", std::max(drift.begin, first) - first},
                              {"end", drift.end - first},
                              {"ratio", drift.ratio},
                              {"small", drift.small}});
  }
  return json;
}

}  // namespace

Json history_json(const LookedBack& looked, const HistoryQuery& query,
                  const analysis::HistoryOptions& options, const HistoryLimits& limits) {
  const report::HistoryCounts counts = report::count_changes(looked.examined);
  Json json{{"search",
             {{"alpha", options.search.alpha},
              {"least", options.search.least},
              {"permutations", options.search.permutations},
              {"equivalence", options.equivalence}}},
            {"counts",
             {{"series", looked.series},
              {"tested", looked.tested},
              {"points_to_test", report::kPointsToTest},
              {"points", looked.points},
              {"confirmed", counts.confirmed},
              {"suspected", counts.suspected},
              {"unsettled", counts.unsettled}}},
            {"series", Json::array()}};
  std::vector<const ExaminedSeries*> shown;
  for (const ExaminedSeries& each : looked.examined) shown.push_back(&each);
  if (shown.size() > limits.series) {
    std::ranges::stable_partition(
        shown, [](const ExaminedSeries* each) { return !each->changes.empty() || !each->drifts.empty(); });
    shown.resize(limits.series);
  }
  ListedRuns runs;
  for (const ExaminedSeries* each : shown) json["series"].push_back(json_of(*each, limits.points, runs));
  json["runs"] = std::move(runs).list();
  json["total"] = looked.examined.size();
  json["hardware"] = printable_utf8(query.hardware);
  json["left_out"] = {{"not_valid", looked.left_out.not_valid}, {"not_listed", looked.left_out.not_listed}};
  return json;
}

}  // namespace aisp::cli
