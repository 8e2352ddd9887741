// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "aisp/analysis/power.h"
#include "aisp/cli/analyze_figures.h"
#include "aisp/cli/analyze_questions.h"
#include "aisp/cli/commands.h"
#include "aisp/report/format.h"

namespace aisp::cli {
namespace {

using analysis::Consumption;
using analysis::EnergyRow;

/// What the intervals hold, and what they do not.
constexpr const char* kIntervals =
    "Intervals are the energy counter's uncertainty, not the spread between runs. Mean power is that of "
    "calls which follow each other, in every cache mode.\n";

std::string number_text(const std::optional<Estimate>& value, const char* unit) {
  if (!value) return std::string(report::kUnknownText);
  const std::string number = fmt::format("{:.3g}{}", value->value, unit);
  return value->low < value->high ? fmt::format("{} [{:.3g}, {:.3g}]", number, value->low, value->high)
                                  : number;
}

std::string consumption_text(const Consumption& each, const Arguments& arguments) {
  Sheet sheet({"variant", "", "energy of a call", "of an item", "items for a joule", "mean power"});
  for (const EnergyRow& row : each.rows) {
    sheet.add({{row.variant},
               {row.anchor ? "anchor" : ""},
               {number_text(row.joules_per_call, " J")},
               {number_text(row.joules_per_item, " J")},
               {number_text(row.items_per_joule, "")},
               {number_text(row.watts, " W")}});
  }
  return title_of(each.where) + "\n" + sheet.text(arguments) + left_out_text(each.left_out) + "\n";
}

}  // namespace

Result<Answer> ask_power(const Arguments& arguments, const FigureSource& source) {
  const Result<Figures> source_figures = source(arguments);
  if (!source_figures) return source_figures.error();
  const std::vector<Figure>& figures = **source_figures;
  std::vector<Consumption> all = analysis::consumption(figures);
  const bool any = std::ranges::any_of(all, [](const Consumption& each) { return !each.rows.empty(); });
  Lines lines(arguments);
  for (Consumption& each : all) lines.keep_shown(each.rows);
  Answer said{.kind = "power", .body = {{"total", lines.total()}, {"contests", to_json(all)}}};
  for (const Consumption& each : all)
    if (!each.rows.empty() && !arguments.json()) said.text += consumption_text(each, arguments);
  if (any && !arguments.json()) said.text += kIntervals;
  said.text += lines.text();
  if (!any) {
    // A size without a valid result says less than one that has them and no counter.
    const auto told = std::ranges::find_if(
        all, [](const Consumption& each) { return each.needs != analysis::kNeedsValid; });
    said.needs = all.empty() ? kNeedsResults : (told == all.end() ? all.front() : *told).needs;
  }
  return said;
}

const Command kPower{
    .name = "power",
    .summary = "Shows joules for an item and items for a joule, from energy counters",
    .positional = "[WORKLOAD...]",
    .flags = question_flags({lines_flag("so many lines for each workload and size"), offset_flag()}),
    .details =
        "From counters of energy alone, which the audit of a run reads without --no-energy: of GPUs\n"
        "today. Where none was read the answer is that it cannot be told.\n\n"
        "aisp power ch09 --device cuda",
    .run = [](const Arguments& arguments) { return answer(arguments, ask_power); },
    .group = "analyze"};

}  // namespace aisp::cli
