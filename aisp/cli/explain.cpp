// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/explain.h"

#include "aisp/cli/commands.h"
#include "aisp/cli/terminal.h"
#include "aisp/harness/plan.h"
#include "aisp/wire/json.h"

namespace aisp::cli {
namespace {

int run(const Arguments& arguments) {
  std::string asked;
  for (const std::string& word : arguments.positional) asked += (asked.empty() ? "" : " ") + word;
  const std::optional<std::string> text = asked.empty() ? guards::overview() : guards::explain(asked);
  if (!text) {
    std::string hint = "`aisp explain` lists the issues and the guards";
    const auto matching = guards::titles_matching(asked);
    const auto near = harness::suggest(asked, guards::names());
    if (!matching.empty()) {
      hint = "did you mean '" + matching.front() + "'?";
    } else if (!near.empty()) {
      hint = "did you mean '" + near.front() + "'?";
    }
    return fail(arguments, {ErrorCode::usage, "no validity issue or guard is called '" + asked + "'", hint});
  }
  return print(arguments.json() ? Json{{"text", *text}}.dump(2) + "\n" : *text)
             ? 0
             : static_cast<int>(ErrorCode::io);
}

}  // namespace

const Command kExplain{
    .name = "explain",
    .summary = "Explains a validity issue or a guard: what it is, what happened, how it is caught",
    .positional = "[ISSUE|GUARD]",
    .flags = {},
    .details = "aisp explain 14\naisp explain output_written\naisp explain stale cache",
    .run = run};

}  // namespace aisp::cli
