// SPDX-License-Identifier: Apache-2.0
// `aisp analyze QUESTION` is `aisp QUESTION`; alone it says which questions there are.
#include <fmt/format.h>

#include "aisp/cli/commands.h"
#include "aisp/cli/json_document.h"
#include "aisp/cli/terminal.h"
#include "aisp/core/nearest.h"

namespace aisp::cli {
namespace {

int run_analyze(const Arguments& arguments) {
  std::vector<std::string> names;
  std::string text;
  Json questions = Json::array();
  for (const Command* command : commands()) {
    if (command->group != "analyze") continue;
    names.push_back(command->name);
    text += fmt::format("  {:<16} {}\n", command->name, command->summary);
    questions.push_back({{"name", command->name}, {"summary", command->summary}});
  }
  if (!arguments.positional.empty()) {
    const std::string& asked = arguments.positional.front();
    const auto near = nearest(asked, names);
    return fail(arguments, {ErrorCode::usage, "there is no `aisp analyze " + asked + "`",
                            near.empty() ? "`aisp analyze` lists the questions"
                                         : "did you mean `aisp analyze " + near.front() + "`?"});
  }
  return print(arguments.json() ? json_document("analyze", {{"questions", questions}}) : text)
             ? 0
             : static_cast<int>(ErrorCode::io);
}

}  // namespace

const Command kAnalyze{
    .name = "analyze",
    .summary = "Answers questions over stored results: who is best, what if, what does it cost",
    .positional =
        "leaderboard|pareto|tradeoffs|whatif|stacking|scaling|power|cost|recommendations [ARGUMENTS...]",
    .flags = {},
    .details =
        "Each question is a command as well: `aisp whatif` is `aisp analyze whatif`, and its --help lists\n"
        "its flags. Answers come from the latest valid result of each variant, with intervals; what is not\n"
        "known is answered by what it would take.\n\n"
        "Exit code 9: nothing could be told.\n\n"
        "aisp analyze leaderboard ch07\n"
        "aisp analyze whatif --vram 24 --latency 100 --device h200 --max-error 0.5",
    .run = run_analyze};

}  // namespace aisp::cli
