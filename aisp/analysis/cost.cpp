// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/cost.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>

namespace aisp::analysis {
namespace {

constexpr double kNsPerHour = 3600e9;

std::string model_text(double here, double there) {
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(),
                "roofline: bound by memory, so the time goes as %.3g / %.3g TB/s, at the same share of the "
                "bandwidth",
                here / 1e12, there / 1e12);
  return text.data();
}

/// The time on the machine asked about, and how it was come by; or what is missing.
void settle_time(CostLine& line, const Figure& figure, const CostQuestion& question) {
  line.time_ns = figure.time_ns;
  if (question.gpu.empty() || contains_word(figure.hardware, question.gpu)) return;
  line.time_ns.reset();
  const std::string measurement = "a measurement on " + question.gpu + ": ";
  if (figure.device == "cpu") {
    line.needs = measurement + "what was measured on a CPU does not run there";
    return;
  }
  if (figure.bound != Bound::memory) {
    line.needs = measurement + "work bound by " + std::string(name_of(figure.bound)) + " has no model";
    return;
  }
  const auto rate = [&](const std::string& name) {
    return question.bandwidth ? question.bandwidth(name).value_or(0) : 0.0;
  };
  const double here = rate(figure.hardware), there = rate(question.gpu);
  if (!(here > 0) || !(there > 0)) {
    line.needs =
        measurement + "the bandwidth of " + (here > 0 ? question.gpu : figure.hardware) + " is not known";
    return;
  }
  const Estimate& time = *figure.time_ns;
  line.time_ns = Estimate{time.value * here / there, time.low * here / there, time.high * here / there};
  line.model = model_text(here, there);
}

CostLine line_of(const Figure& figure, const CostQuestion& question) {
  CostLine line{.hardware = figure.hardware,
                .variant = figure.variant,
                .anchor = figure.rung == Rung::anchor,
                .machine = question.gpu.empty() ? figure.hardware : question.gpu,
                .items = figure.items > 0 ? figure.items : 1};
  if (!figure.time_ns) {
    line.needs = "its time";
    return line;
  }
  settle_time(line, figure, question);
  if (!line.time_ns) return line;
  const Price* price = price_of(line.machine, question.prices);
  if (!question.rate && price == nullptr) {
    line.needs = "a price for '" + line.machine + "'";
    return line;
  }
  line.dollars_per_hour = question.rate.value_or(price == nullptr ? 0 : price->dollars_per_hour);
  const auto dollars = [&](double ns) { return line.dollars_per_hour * ns / kNsPerHour / line.items; };
  line.dollars_per_item =
      Estimate{dollars(line.time_ns->value), dollars(line.time_ns->low), dollars(line.time_ns->high)};
  return line;
}

}  // namespace

std::vector<Bill> bills(std::span<const Figure> figures, const CostQuestion& question) {
  std::map<std::pair<std::string, std::string>, Bill> found;
  for (const Contest& contest : contests(figures)) {
    for (const Figure* figure : contest.entrants) {
      Bill& bill = found[{figure->workload, figure->parameters}];
      bill.workload = figure->workload;
      bill.parameters = figure->parameters;
      bill.item = figure->items > 0 ? "item" : "call";
      bill.lines.push_back(line_of(*figure, question));
    }
  }
  std::vector<Bill> all;
  for (auto& [key, bill] : found) {
    std::ranges::stable_sort(bill.lines, {}, [](const CostLine& line) {
      return line.dollars_per_item ? line.dollars_per_item->value : HUGE_VAL;
    });
    all.push_back(std::move(bill));
  }
  return all;
}

}  // namespace aisp::analysis
