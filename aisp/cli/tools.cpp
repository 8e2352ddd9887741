// SPDX-License-Identifier: Apache-2.0
// `aisp utils` alone: the commands of the group are defined in files of their own.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "aisp/cli/commands.h"
#include "aisp/cli/help.h"
#include "aisp/core/nearest.h"

namespace aisp::cli {
namespace {

/// Reached only without the name of a command of the group.
int run_tools(const Arguments& arguments) {
  const std::vector<std::string> known = names_of_group(kUtils.name);
  const std::string all = fmt::format("{}", fmt::join(known, ", "));
  std::string asked = arguments.text("tool");
  if (asked.empty() && !arguments.positional.empty()) asked = arguments.positional.front();
  if (asked.empty()) return fail(arguments, {ErrorCode::usage, "name a tool", "there are " + all});
  const auto near = nearest(asked, known);
  return fail(arguments,
              {ErrorCode::usage, "there is no tool '" + asked + "'",
               near.empty() ? "there are " + all : "did you mean `aisp utils " + near.front() + "`?"});
}

}  // namespace

const Command kUtils{.name = "utils",
                     .summary = "Sizing arithmetic for models and clusters, and what the hardware is",
                     .positional = "[TOOL...]",
                     .flags = {{.name = "tool",
                                .kind = FlagKind::text,
                                .help = "the tool, as older tools spell it",
                                .value = "TOOL"}},
                     .details =
                         "aisp utils kv-cache --layers 80 --hidden 8192 --tokens 4096 --batch 8 --dtype fp8\n"
                         "aisp utils probe-hw",
                     .run = run_tools};

}  // namespace aisp::cli
