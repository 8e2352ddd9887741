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

std::string advice_text(const Advice& advice) {
  std::string text = title_of(advice.where) + ", " + report::visible(advice.variant) + "\n";
  text += "  " + advice.rule + ": " + report::visible(advice.because);
  if (advice.room && *advice.room > 1) text += fmt::format("; at most {:.3g}x better", *advice.room);
  return text + "\n  -> " + report::visible(advice.action) + "\n";
}

}  // namespace

Result<Answer> ask_recommendations(const Arguments& arguments, const FigureSource& source) {
  const Result<Figures> source_figures = source(arguments);
  if (!source_figures) return source_figures.error();
  const std::vector<Figure>& figures = **source_figures;
  const std::vector<Advice> all = analysis::recommendations(figures);
  const auto shown = std::min(all.size(), static_cast<std::size_t>(arguments.number("top")));
  const std::vector<Advice> top(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shown));
  Answer said{.kind = "recommendations", .body = {{"found", all.size()}, {"advice", to_json(top)}}};
  for (const Advice& advice : top) said.text += advice_text(advice);
  if (figures.empty()) {
    said.needs = kNeedsResults;
  } else if (all.empty()) {
    said.text = "nothing to recommend: every best variant is between half of its ceiling and the ceiling\n";
  } else {
    said.text += fmt::format("{} of {}, most room below a ceiling first\n", shown, all.size());
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
                              .high = 1e6}}),
    .details =
        "Each names the numbers it follows from. No gain is promised that was not measured; the room below\n"
        "a measured ceiling is the most there can be.\n\n"
        "aisp recommendations ch09",
    .run = [](const Arguments& arguments) { return answer(arguments, ask_recommendations); },
    .group = "analyze"};

}  // namespace aisp::cli
