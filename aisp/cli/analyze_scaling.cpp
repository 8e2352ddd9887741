// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "aisp/analysis/scaling.h"
#include "aisp/analysis/team_scaling.h"
#include "aisp/cli/analyze_figures.h"
#include "aisp/cli/analyze_questions.h"
#include "aisp/cli/commands.h"
#include "aisp/report/format.h"

namespace aisp::cli {
namespace {

using analysis::SizeScaling;
using analysis::TeamScaling;

std::string interval_text(const std::optional<Estimate>& value) {
  return value ? fmt::format("{:.3g} [{:.3g}, {:.3g}]", value->value, value->low, value->high)
               : std::string(report::kUnknownText);
}

/// "10x [8.33, inf]"
std::string limit_text(const std::optional<Estimate>& limit) {
  return limit ? fmt::format("{:.3g}x [{:.3g}, {:.3g}]", limit->value, limit->low, limit->high)
               : std::string(report::kUnknownText);
}

std::string work_text(const TeamScaling& scaling) {
  return scaling.work_per_member ? fmt::format("{:.6g} {}", *scaling.work_per_member, scaling.work_unit) : "";
}

std::string place_text(const analysis::Where& where) {
  return where.workload + (where.parameters.empty() ? "" : " " + where.parameters);
}

std::string knee_text(const SizeScaling& scaling) {
  if (const auto& knee = scaling.knee) {
    return fmt::format("at {}: {:.2f} then {:.2f} ({:.3g} % sure)", knee->at, knee->before, knee->after,
                       100 * knee->confidence);
  }
  return scaling.points.size() < analysis::kSizesForKnee ? std::string(report::kUnknownText) : "none";
}

std::string sizes_text(const std::vector<SizeScaling>& all, const Arguments& arguments) {
  Sheet sheet({"workload", "variant", "axis", "sizes", "exponent", "knee", ""});
  for (const SizeScaling& each : all) {
    sheet.add(
        {{place_text(each.where)},
         {each.variant},
         {each.axis},
         {fmt::format("{}: {} to {}", each.points.size(), each.points.front().at, each.points.back().at)},
         {interval_text(each.exponent)},
         {knee_text(each)},
         {each.needs.empty() ? "" : "needs " + each.needs}});
  }
  return sheet.empty() ? "" : sheet.text(arguments) + "time ~ size^exponent, 95 % interval\n\n";
}

std::string teams_text(const std::vector<TeamScaling>& all, const Arguments& arguments) {
  Sheet sheet({"workload", "variant", "axis", "largest team", "speed-up", "efficiency", "law",
               "work for each", "serial share", "limit", ""});
  for (const TeamScaling& each : all) {
    const bool known = !each.points.empty();
    const auto* last = known ? &each.points.back() : nullptr;
    sheet.add({{place_text(each.where)},
               {each.variant},
               {each.axis},
               {known ? std::to_string(last->members) : std::string(report::kUnknownText)},
               {known ? interval_text(last->speedup) : std::string(report::kUnknownText)},
               {known ? report::format_percent(100 * last->efficiency) : std::string(report::kUnknownText)},
               {each.law},
               {work_text(each)},
               {interval_text(each.serial)},
               {limit_text(each.limit)},
               {each.needs.empty() ? "" : "needs " + each.needs}});
  }
  if (sheet.empty()) return "";
  return sheet.text(arguments) +
         "Amdahl: the problem stays, and the speed-up stays below one over the serial share. Gustafson: the\n"
         "problem grows with the team, and so does the speed-up, less the serial share.\n";
}

std::string what_is_missing(const std::vector<Figure>& figures, const std::vector<SizeScaling>& sizes,
                            const std::vector<TeamScaling>& teams) {
  if (figures.empty()) return kNeedsResults;
  if (!sizes.empty()) return sizes.front().needs;
  if (!teams.empty()) return teams.front().needs;
  return "a variant with valid results at two sizes or more";
}

}  // namespace

Result<Answer> ask_scaling(const Arguments& arguments, const FigureSource& source) {
  const Result<Figures> source_figures = source(arguments);
  if (!source_figures) return source_figures.error();
  const std::vector<Figure>& figures = **source_figures;
  auto sizes = analysis::size_scaling(figures);
  auto teams = analysis::team_scaling(figures);
  // As everywhere: a line that only says what it needs tells nothing.
  const bool any =
      std::ranges::any_of(sizes, [](const SizeScaling& each) { return each.exponent.has_value(); }) ||
      std::ranges::any_of(teams, [](const TeamScaling& each) { return !each.points.empty(); });
  const std::string needs = what_is_missing(figures, sizes, teams);
  Lines lines(arguments);
  lines.keep_shown(sizes);
  lines.keep_shown(teams);
  Answer said{.kind = "scaling",
              .body = {{"total", lines.total()}, {"sizes", to_json(sizes)}, {"teams", to_json(teams)}}};
  if (!arguments.json())
    said.text = sizes_text(sizes, arguments) + teams_text(teams, arguments) + lines.text();
  if (!any) said.needs = needs;
  return said;
}

const Command kScaling{
    .name = "scaling",
    .summary = "Reads how time goes with size, threads and ranks from stored sweeps",
    .positional = "[WORKLOAD...]",
    .flags = question_flags({lines_flag("so many lines of sizes, and of threads and ranks"), offset_flag()}),
    .details =
        "Three sizes give an exponent, five may show a knee: the size beyond which time grows otherwise.\n"
        "Along threads and ranks the serial share is read by Amdahl's law, and by Gustafson's where the\n"
        "work grows with the team. Exit code 9: no line has an exponent or a speed-up.\n\n"
        "aisp scaling ch09/sgemm",
    .run = [](const Arguments& arguments) { return answer(arguments, ask_scaling); },
    .group = "analyze"};

}  // namespace aisp::cli
