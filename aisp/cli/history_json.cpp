// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/history_json.h"

#include <algorithm>
#include <vector>

#include "aisp/report/history_rows.h"

namespace aisp::cli {
namespace {

Json json_of(const HistoryPoint& point) {
  return {{"run", point.run},
          {"time", printable_utf8(point.time)},
          {"commit", printable_utf8(point.commit)},
          {"programs", point.programs},
          {"method", point.method},
          {"value", to_json(point.value)}};
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

Json json_of(const HistoryChange& change) {
  return {{"at", change.at},
          {"last_old", change.last_old},
          {"first_new", change.first_new},
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

Json json_of(const ExaminedSeries& each) {
  const HistorySeries& series = each.series;
  Json json{{"workload", printable_utf8(series.workload)},
            {"parameters", printable_utf8(series.parameters)},
            {"device", printable_utf8(series.device)},
            {"cache", series.cache},
            {"variant", printable_utf8(series.variant)},
            {"goal", std::string(name_of(series.goal))},
            {"points", Json::array()},
            {"changes", Json::array()},
            {"drifts", Json::array()}};
  for (const HistoryPoint& point : series.points) json["points"].push_back(json_of(point));
  for (const HistoryChange& change : each.changes) json["changes"].push_back(json_of(change));
  for (const HistoryDrift& drift : each.drifts)
    json["drifts"].push_back(
        {{"begin", drift.begin}, {"end", drift.end}, {"ratio", drift.ratio}, {"small", drift.small}});
  return json;
}

}  // namespace

Json history_json(const LookedBack& looked, const HistoryQuery& query,
                  const analysis::HistoryOptions& options, std::size_t most) {
  const report::HistoryCounts counts = report::count_changes(looked.examined);
  Json json{{"search",
             {{"alpha", options.search.alpha},
              {"least", options.search.least},
              {"permutations", options.search.permutations},
              {"equivalence", options.equivalence}}},
            {"counts",
             {{"series", looked.series},
              {"points", looked.points},
              {"confirmed", counts.confirmed},
              {"suspected", counts.suspected},
              {"unsettled", counts.unsettled}}},
            {"series", Json::array()}};
  std::vector<const ExaminedSeries*> shown;
  for (const ExaminedSeries& each : looked.examined) shown.push_back(&each);
  if (shown.size() > most) {
    std::ranges::stable_partition(
        shown, [](const ExaminedSeries* each) { return !each->changes.empty() || !each->drifts.empty(); });
    shown.resize(most);
  }
  for (const ExaminedSeries* each : shown) json["series"].push_back(json_of(*each));
  json["total"] = looked.examined.size();
  json["hardware"] = printable_utf8(query.hardware);
  json["left_out"] = {{"not_valid", looked.left_out.not_valid}, {"not_listed", looked.left_out.not_listed}};
  return json;
}

}  // namespace aisp::cli
