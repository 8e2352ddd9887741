// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "aisp/analysis/leaderboard.h"
#include "aisp/cli/analyze_figures.h"
#include "aisp/cli/analyze_questions.h"
#include "aisp/cli/commands.h"
#include "aisp/cli/documents.h"
#include "aisp/cli/results.h"
#include "aisp/cli/stored_rounds.h"
#include "aisp/report/format.h"

namespace aisp::cli {
namespace {

using analysis::Leader;
using report::Tone;

/// What ranks say, of the best of different contests and of the variants of one.
constexpr const char* kRanks =
    "A rank is one more than the number of those surely better, whose whole interval lies above; = shares "
    "it.\nListed by rank, and by value among equal ranks.\n";
constexpr const char* kRanksOfOne =
    "A rank is one more than the number of those surely better, by the rounds in which both were sampled, or "
    "by\n"
    "gains that are apart where they are of different runs; = shares it.\nListed by rank, and by value among "
    "equal ranks: a larger value that more are surely better than stands lower.\n";

std::string gain_text(const analysis::Place& place) {
  if (place.baseline) return "1x, the baseline";
  return report::format_ratio(
      RatioEstimate{.ratio = place.gain.value, .low = place.gain.low, .high = place.gain.high});
}

std::string figure_text(const analysis::Place& place, Goal goal) {
  return place.figure ? report::format_figure(*place.figure, goal, report::Detail::interval) : "-";
}

std::string remark(const analysis::Place& place) { return place.newest ? "" : "a later result is not valid"; }

std::string leaders_text(const std::vector<Leader>& leaders, std::size_t proven, std::size_t contests,
                         const Arguments& arguments) {
  if (leaders.empty() && proven > 0)
    return fmt::format("There {} proven {}.\n", proven == 1 ? "is 1" : fmt::format("are {}", proven),
                       proven == 1 ? "gain" : "gains");
  if (leaders.empty())
    return fmt::format(
        "No gain is proven: no contest has a variant whose whole interval lies above 1 (contests: {}).\n",
        contests);
  const std::string& hardware = leaders.front().where.hardware;
  const bool one_machine =
      std::ranges::all_of(leaders, [&](const Leader& each) { return each.where.hardware == hardware; });
  Sheet sheet({"rank", "workload", "size", "on", "variant", "gain", "figure", ""});
  for (const Leader& leader : leaders) {
    sheet.add({{std::to_string(leader.rank) + (leader.tied ? "=" : "")},
               {leader.where.workload},
               {leader.where.parameters},
               {leader.where.device + (one_machine ? "" : " of " + leader.where.hardware)},
               {leader.place.variant},
               {gain_text(leader.place), Tone::good},
               {figure_text(leader.place, leader.goal)},
               {remark(leader.place)}});
  }
  return (one_machine ? report::visible(hardware) + "\n" : "") + sheet.text(arguments) +
         fmt::format(
             "{} of {} proven gains in {} contests, each of the best variant over the baseline of its own "
             "run, by the workload's goal.\nA gain is proven where its whole interval lies above 1.\n{}",
             leaders.size(), proven, contests, kRanks);
}

std::string standing_text(const analysis::Standing& standing, const Arguments& arguments) {
  std::string text = fmt::format("{}, goal {}\n", title_of(standing.where), name_of(standing.goal));
  Sheet sheet({"rank", "variant", "gain", "figure", ""});
  for (const analysis::Place& place : standing.places) {
    const std::string rank = place.rank ? std::to_string(*place.rank) + (place.tied ? "=" : "") : "anchor";
    sheet.add({{rank},
               {place.variant},
               {gain_text(place), analysis::is_proven(place) ? Tone::good : Tone::plain},
               {figure_text(place, standing.goal)},
               {remark(place)}});
  }
  text += sheet.empty() ? "  cannot tell: needs " + standing.needs + "\n" : sheet.text(arguments);
  return text + left_out_text(standing.left_out) + "\n";
}

/// With the rounds of the store that --store names.
Result<Answer> ask_stored(const Arguments& arguments, const FigureSource& source) {
  Result<std::optional<store::Store>> results = open_store_if_any(arguments);
  if (!results) return results.error();
  return ask_leaderboard(arguments, source, results->has_value() ? &**results : nullptr);
}

std::optional<Goal> asked_goal(const Arguments& arguments) {
  for (const Goal goal : {Goal::speed, Goal::latency, Goal::throughput, Goal::memory})
    if (name_of(goal) == arguments.text("goal")) return goal;
  return std::nullopt;
}

}  // namespace

Result<Answer> ask_leaderboard(const Arguments& arguments, const FigureSource& source, store::Store* store) {
  const Result<Figures> source_figures = source(arguments);
  if (!source_figures) return source_figures.error();
  const std::vector<Figure>& figures = **source_figures;
  std::vector<analysis::Standing> all = analysis::standings(figures, asked_goal(arguments));
  StoredRounds rounds(store);
  auto decided = leaders_by_rounds(all, rounds);
  if (!decided) return decided.error();
  std::vector<Leader>& leaders = *decided;
  const std::size_t proven = leaders.size();
  keep_page(leaders, arguments);
  // Every variant of what was named; of everything only the best. Cells are read for what is shown alone.
  std::vector<analysis::Standing> shown;
  if (!arguments.positional.empty())
    shown = shown_first(all, arguments, [](const analysis::Standing& each) { return each.needs.empty(); });
  for (analysis::Standing& standing : shown) {
    if (standing.by_rounds) continue;
    if (const Status read = rounds.decide(standing); !read) return read.error();
  }
  Answer said{.kind = "leaderboard",
              .body = {{"contests", all.size()}, {"total", proven}, {"leaders", leaders_json(leaders)}}};
  const bool ranked =
      std::ranges::any_of(all, [](const analysis::Standing& each) { return !each.places.empty(); });
  if (!ranked) said.needs = figures.empty() ? kNeedsResults : "a valid baseline beside valid variants";
  if (!arguments.positional.empty()) {
    said.body["standings"] = to_json(shown);
    if (arguments.json()) return said;
    for (const analysis::Standing& standing : shown) said.text += standing_text(standing, arguments);
    if (ranked) said.text += kRanksOfOne;
    said.text += shown_text(shown.size(), all.size());
  } else if (ranked && !arguments.json()) {
    said.text = leaders_text(leaders, proven, all.size(), arguments);
  }
  return said;
}

const Command kLeaderboard{
    .name = "leaderboard",
    .summary = "Ranks variants by their workload's goal, with intervals; ties are ties",
    .positional = "[WORKLOAD...]",
    .flags = question_flags({{.name = "goal",
                              .kind = FlagKind::choice,
                              .help = "only workloads with this goal",
                              .value = "GOAL",
                              .choices = {"speed", "latency", "throughput", "memory"}},
                             top_flag(),
                             offset_flag()}),
    .details =
        "Only valid results rank; anchors are shown in their place, informational variants are not.\n"
        "What ranks is the gain over the baseline of the same run: times of different days are not "
        "compared.\nTwo variants of one cell are told apart by its own rounds. Places are listed "
        "by\nrank, and by value among equal ranks: what is sure goes before what is large.\n"
        "Without a workload: proven gains alone, whose whole interval lies above 1, one for each contest,\n"
        "its best by its rounds. --json: rank and tied of a place are null behind the first 20, of which no\n"
        "rounds are read.\n\n"
        "aisp leaderboard --goal throughput\naisp leaderboard ch07 --device h200",
    .run = [](const Arguments& arguments) { return answer(arguments, ask_stored); },
    .group = "analyze"};

}  // namespace aisp::cli
