// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/figure.h"

#include <algorithm>
#include <charconv>

namespace aisp {
namespace {

Figure figure_of(const CellResult& cell, const VariantResult& variant) {
  Figure figure;
  figure.workload = cell.workload;
  figure.parameters = cell.parameters;
  figure.device = cell.device;
  figure.cache = cell.cache;
  figure.variant = variant.name;
  figure.finished = cell.finished;
  figure.goal = cell.goal;
  figure.bound = cell.bound;
  figure.rung = variant.rung;
  figure.baseline = &variant == cell.baseline();
  figure.validity = variant.validity;
  figure.time_ns = variant.time_ns;
  figure.figure = variant.figure;
  // A ratio is believed no more than either side of it.
  const VariantResult* first = cell.baseline();
  if (const auto& speedup = variant.speedup;
      speedup && first != nullptr && first->validity <= variant.validity) {
    figure.gain = Estimate{speedup->ratio, speedup->low, speedup->high};
    figure.against = speedup->against;
    figure.outcome = speedup->outcome;
  }
  figure.peak_bytes = variant.memory.peak_bytes;
  figure.joules = variant.evidence.energy.joules_per_call;
  figure.joules_uncertainty = variant.evidence.energy.uncertainty;
  figure.watts = variant.evidence.energy.watts;
  const AnswerEvidence& answers = variant.evidence.answers;
  if (answers.checked > 0) figure.worst_error = answers.worst_error;
  figure.percent_of_ceiling = variant.percent_of_ceiling;
  figure.ceiling = variant.ceiling;
  figure.traffic_bytes = variant.evidence.accelerator.dram_bytes;
  figure.bytes = cell.work_bytes;
  figure.flops = cell.work_flops;
  figure.items = cell.work_items;
  return figure;
}

}  // namespace

std::vector<Figure> figures_of(const CellResult& cell) {
  std::vector<Figure> figures;
  if (cell.as_graphs()) return figures;
  for (const VariantResult& variant : cell.variants) {
    if (variant.skipped.empty()) figures.push_back(figure_of(cell, variant));
  }
  return figures;
}

std::optional<std::int64_t> parameter(std::string_view parameters, std::string_view name) {
  while (!parameters.empty()) {
    const std::size_t end = std::min(parameters.find(' '), parameters.size());
    const std::string_view entry = parameters.substr(0, end);
    parameters.remove_prefix(std::min(end + 1, parameters.size()));
    if (entry.size() <= name.size() || !entry.starts_with(name) || entry[name.size()] != '=') continue;
    const std::string_view digits = entry.substr(name.size() + 1);
    std::int64_t value = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (read.ec == std::errc() && read.ptr == digits.data() + digits.size()) return value;
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace aisp
