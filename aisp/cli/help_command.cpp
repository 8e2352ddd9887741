// SPDX-License-Identifier: Apache-2.0
// The commands that print what the flag tables say: help, version, completions, man.
#include <cstdio>

#include "aisp/cli/commands.h"
#include "aisp/cli/help.h"
#include "aisp/cli/version.h"

namespace aisp::cli {
namespace {

int run_help(const Arguments& arguments) {
  if (arguments.positional.empty()) {
    std::fputs(overview().c_str(), stdout);
    return 0;
  }
  const Command* command = find_command(arguments.positional.front());
  if (command == nullptr) {
    return fail(arguments, {ErrorCode::usage, "there is no command '" + arguments.positional.front() + "'",
                            "`aisp help` lists the commands"});
  }
  std::fputs(help_of(*command).c_str(), stdout);
  return 0;
}

int run_version(const Arguments& arguments) {
  std::printf(arguments.json() ? "{\"version\":\"%s\"}\n" : "aisp %s\n", version().c_str());
  return 0;
}

int run_completions(const Arguments& arguments) {
  const std::string shell = arguments.positional.empty() ? "bash" : arguments.positional.front();
  const std::string script = completions(shell);
  if (script.empty()) {
    return fail(arguments,
                {ErrorCode::usage, "no completions for '" + shell + "'", "choose bash, zsh or fish"});
  }
  std::fputs(script.c_str(), stdout);
  return 0;
}

int run_man(const Arguments&) {
  std::fputs(man_page().c_str(), stdout);
  return 0;
}

}  // namespace

const Command kHelp{
    .name = "help", .summary = "Explains a command", .positional = "[COMMAND]", .flags = {}, .run = run_help};
const Command kVersion{
    .name = "version", .summary = "Prints the version", .positional = "", .flags = {}, .run = run_version};
const Command kCompletions{.name = "completions",
                           .summary = "Prints a completion script for bash, zsh or fish",
                           .positional = "[SHELL]",
                           .flags = {},
                           .details = "bash: source <(aisp completions bash)",
                           .run = run_completions};
const Command kMan{.name = "man",
                   .summary = "Prints the manual page (aisp man | man -l -)",
                   .positional = "",
                   .flags = {},
                   .run = run_man};

}  // namespace aisp::cli
