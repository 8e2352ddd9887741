// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/figures.h"

#include <algorithm>
#include <cmath>

#include "aisp/stats/summary.h"

namespace aisp::harness {
namespace {

double cost_of(const CellResult& cell, const Samples& samples, std::size_t i) {
  const bool has_items = i < samples.items.size() && !samples.items[i].empty();
  if (cell.goal == Goal::latency && has_items) return stats::quantile(samples.items[i], 0.99);
  return samples.ns[i];
}

}  // namespace

CostByRound costs(const CellResult& cell, const Samples& samples) {
  const auto discarded = cell.discarded_rounds();
  CostByRound result;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (!discarded.contains(samples.place(i))) result[samples.place(i)] = cost_of(cell, samples, i);
  }
  return result;
}

int discarded_rounds(const CellResult& cell, const Samples& samples) {
  const auto discarded = cell.discarded_rounds();
  int count = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto why = discarded.find(samples.place(i));
    if (why != discarded.end() && !why->second.starts_with(kMeasuredAgain)) ++count;
  }
  return count;
}

std::vector<std::vector<double>> log_ratios(const CostByRound& baseline, const CostByRound& variant) {
  std::map<int, std::vector<double>> by_attempt;
  for (const auto& [key, cost] : variant) {
    const auto other = baseline.find(key);
    if (other != baseline.end()) by_attempt[key.first].push_back(std::log(other->second / cost));
  }
  std::vector<std::vector<double>> ratios;
  for (auto& [attempt, values] : by_attempt) ratios.push_back(std::move(values));
  return ratios;
}

std::vector<double> values_of(const CostByRound& costs) {
  std::vector<double> values;
  values.reserve(costs.size());
  for (const auto& [key, cost] : costs) values.push_back(cost);
  return values;
}

std::vector<std::vector<double>> values_by_attempt(const CostByRound& costs) {
  std::map<int, std::vector<double>> by_attempt;
  for (const auto& [key, cost] : costs) by_attempt[key.first].push_back(cost);
  std::vector<std::vector<double>> values;
  for (auto& [attempt, series] : by_attempt) values.push_back(std::move(series));
  return values;
}

}  // namespace aisp::harness
