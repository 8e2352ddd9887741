// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/sweep.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>
#include <tuple>

namespace aisp::analysis {

std::vector<std::pair<std::string, std::int64_t>> parameters_of(const std::string& text) {
  std::vector<std::pair<std::string, std::int64_t>> parameters;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) continue;
    const std::string name = word.substr(0, equals);
    if (const auto value = parameter(word, name)) parameters.emplace_back(name, *value);
  }
  return parameters;
}

std::string text_of(const std::vector<std::pair<std::string, std::int64_t>>& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters)
    text += (text.empty() ? "" : " ") + name + "=" + std::to_string(value);
  return text;
}

std::vector<Sweep> sweeps(std::span<const Figure> figures, std::string_view axis) {
  std::map<std::tuple<Where, std::string, std::string>, Sweep> found;
  for (const Figure& figure : figures) {
    if (figure.validity != Validity::valid || !figure.time_ns || !(figure.time_ns->value > 0)) continue;
    const auto parameters = parameters_of(figure.parameters);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (!axis.empty() && parameters[i].first != axis) continue;
      auto others = parameters;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      Where place = where(figure);
      place.parameters = text_of(others);
      Sweep& sweep = found[{place, figure.variant, parameters[i].first}];
      sweep.where = place;
      sweep.variant = figure.variant;
      sweep.axis = parameters[i].first;
      sweep.points.push_back({parameters[i].second, &figure});
    }
  }
  std::vector<Sweep> all;
  for (auto& [key, sweep] : found) {
    std::ranges::sort(sweep.points, {}, &SweepPoint::at);
    if (sweep.points.size() >= 2) all.push_back(std::move(sweep));
  }
  return all;
}

}  // namespace aisp::analysis
