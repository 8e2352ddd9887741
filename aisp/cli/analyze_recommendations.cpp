// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "aisp/analysis/recommendations.h"
#include "aisp/cli/analyze_figures.h"
#include "aisp/cli/analyze_questions.h"
#include "aisp/cli/commands.h"
#include "aisp/report/format.h"

namespace aisp::cli {
namespace {

using analysis::Advice;

/// Places of one advice that are named; more of them tell nothing more.
constexpr std::size_t kMostPlaces = 8;

/// "ch07/transpose n=64, cuda:0 of NVIDIA H200: tiled, wide", a line for each cell.
std::string places_text(const std::vector<const Advice*>& same) {
  std::vector<std::pair<std::string, std::string>> places;
  for (const Advice* advice : same) {
    const std::string title = title_of(advice->where), variant = report::visible(advice->variant);
    const auto known = std::ranges::find(places, title, &std::pair<std::string, std::string>::first);
    if (known == places.end()) {
      places.emplace_back(title, variant);
    } else {
      known->second += ", " + variant;
    }
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(places.size(), kMostPlaces); ++i)
    text += places[i].first + ": " + places[i].second + "\n";
  if (places.size() > kMostPlaces)
    text += fmt::format("and {} more like them\n", places.size() - kMostPlaces);
  return text;
}

/// "5x [4.9, 5.1]"; without an interval where there is none.
std::string room_text(const Estimate& room) {
  const std::string number = fmt::format("{:.3g}x", room.value);
  return room.low < room.high ? fmt::format("{} [{:.3g}, {:.3g}]", number, room.low, room.high) : number;
}

/// The places, then what holds for all of them.
std::string advice_text(const std::vector<const Advice*>& same) {
  const Advice& advice = *same.front();  // of those with equal words the one with most room
  std::string text = places_text(same) + "  " + advice.rule + ": " + report::visible(advice.because);
  if (advice.room && advice.room->value > 1) text += "; at most " + room_text(*advice.room) + " better";
  return text + "\n  -> " + report::visible(advice.action) + "\n";
}

}  // namespace

Result<Answer> ask_recommendations(const Arguments& arguments, const FigureSource& source) {
  const Result<Figures> source_figures = source(arguments);
  if (!source_figures) return source_figures.error();
  const std::vector<Figure>& figures = **source_figures;
  const std::vector<Advice> all = analysis::recommendations(figures);
  std::vector<Advice> top = all;
  keep_page(top, arguments);
  Answer said{.kind = "recommendations", .body = {{"found", all.size()}, {"advice", to_json(top)}}};
  auto groups = analysis::said_once(all);
  const std::size_t said_of_all = groups.size();
  keep_page(groups, arguments);
  for (const auto& group : groups) said.text += advice_text(group);
  if (figures.empty()) {
    said.needs = kNeedsResults;
  } else if (all.empty()) {
    said.text = "nothing to recommend: every best variant is between half of its ceiling and the ceiling\n";
  } else {
    said.text += fmt::format("{} of {}, most room below a ceiling first\n", groups.size(), said_of_all);
  }
  return said;
}

const Command kRecommendations{
    .name = "recommendations",
    .summary = "Says what to do next about a workload, from what bounds it and what was counted",
    .positional = "[WORKLOAD...]",
    .flags = question_flags({{.name = "top",
                              .kind = FlagKind::integer,
                              .help = "so many of them",
                              .value = "N",
                              .fallback = "10",
                              .low = 1,
                              .high = 1e6},
                             offset_flag()}),
    .details =
        "They are about the variant with the best proven gain, and about the baseline where none is. A\n"
        "leaderboard also reads the rounds of a cell, by which another variant may lead. One that looks\n"
        "better without proof is worth measuring longer, or, where memory is the goal, is not told apart.\n"
        "Each names the numbers it follows from. No gain is promised that was not measured; the room below\n"
        "a measured ceiling is the most there can be, with the interval of the time it follows from.\n"
        "What holds for several results is said once, with all of them above it; --json has an entry for\n"
        "each, and the run it follows from.\n\n"
        "aisp recommendations ch09",
    .run = [](const Arguments& arguments) { return answer(arguments, ask_recommendations); },
    .group = "analyze"};

}  // namespace aisp::cli
