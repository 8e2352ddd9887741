// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <iostream>

#include <unistd.h>

#include "aisp/cli/catalogue.h"
#include "aisp/cli/commands.h"
#include "aisp/cli/results.h"
#include "aisp/cli/terminal.h"
#include "aisp/cli/tui_library.h"
#include "aisp/tui/session.h"
#include "aisp/tui/simple.h"

namespace aisp::cli {
namespace {

int run_tui(const Arguments& arguments) {
  if (arguments.json())
    return fail(arguments, {ErrorCode::usage, "`aisp tui` is for people and prints no JSON",
                            "`aisp show --json` and `aisp list --json` say the same to programs"});
  // One that is not there yet and was not named is told of on the page of results.
  if (const auto missing = missing_store(arguments); !missing) return fail(arguments, missing.error());
  const Result<std::unique_ptr<tui::Library>> library = tui_library(arguments);
  if (!library) return fail(arguments, library.error());
  if (arguments.has("simple")) {
    const int width = isatty(STDOUT_FILENO) == 1 ? terminal_width() : 80;
    return tui::run_simple(**library, std::cin, std::cout, {.width = std::max(width, 40)});
  }
  const Result<int> code = tui::run_session(**library, {.colours = use_color(arguments)});
  return code ? *code : fail(arguments, code.error());
}

}  // namespace

const Command kTui{
    .name = "tui",
    .summary = "Browses workloads and results in the terminal, and starts and watches runs",
    .positional = "",
    .flags = {{.name = "simple",
               .kind = FlagKind::toggle,
               .help = "numbered choices on plain lines: no screen, no colours, works in a pipe"},
              plugin_flag()},
    .details =
        "Needs 60x15; ? lists the keys. A run that was started in it is ended with it, and what it finished\n"
        "is kept. docs/handbook/tui.md shows it.\n\n"
        "aisp tui\naisp tui --simple",
    .run = run_tui};

}  // namespace aisp::cli
