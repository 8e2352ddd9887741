// SPDX-License-Identifier: Apache-2.0
// The commands that print what the flag tables say: help, version, completions, man.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "aisp/cli/commands.h"
#include "aisp/cli/help.h"
#include "aisp/cli/json_document.h"
#include "aisp/cli/older_spellings.h"
#include "aisp/cli/terminal.h"
#include "aisp/cli/version.h"
#include "aisp/core/nearest.h"
#include "aisp/probes/manifest_facts.h"

namespace aisp::cli {
namespace {

/// Exit code 7 where the text could not be written: a full disk, a closed pipe. main() says why.
int printed(const std::string& text) { return print(text) ? 0 : static_cast<int>(ErrorCode::io); }

/// "aisp help utils kv-cash", or a word too many.
Error unknown_word(const Command& command, const std::string& word) {
  const std::vector<std::string> known = names_of_group(command.name);
  if (known.empty())
    return {ErrorCode::usage,
            "`aisp " + full_name(command) + "` has no commands below it: '" + word + "' is too much",
            "`aisp help " + full_name(command) + "` explains it"};
  const auto near = nearest(word, known);
  return {ErrorCode::usage, "there is no `aisp " + command.name + " " + word + "`",
          near.empty() ? fmt::format("there are {}", fmt::join(known, ", "))
                       : "did you mean `aisp help " + command.name + " " + near.front() + "`?"};
}

int run_help(const Arguments& arguments) {
  if (arguments.positional.empty()) return printed(arguments.json() ? overview_json() : overview());
  // "utils kv-cache" as it is typed, or "kv-cache" alone.
  const std::vector<std::string> words = without_group(arguments.positional);
  const Command* command = find_command(words.front());
  if (command == nullptr) return fail(arguments, unknown_command(words.front()));
  if (words.size() > 1) return fail(arguments, unknown_word(*command, words[1]));
  return printed(arguments.json() ? help_json(*command) : help_of(*command));
}

int run_version(const Arguments& arguments) {
  const std::string git = probes::git_state().value_or("");
  return printed(arguments.json() ? json_document("version", {{"version", version()}, {"git", git}})
                                  : "aisp " + version() + (git.empty() ? "" : ", git " + git) + "\n");
}

int run_completions(const Arguments& arguments) {
  const std::string shell = arguments.positional.empty() ? "bash" : arguments.positional.front();
  const std::string script = completions(shell);
  if (script.empty()) {
    return fail(arguments,
                {ErrorCode::usage, "no completions for '" + shell + "'", "choose bash, zsh or fish"});
  }
  return printed(arguments.json() ? json_document("completions", {{"shell", shell}, {"text", script}})
                                  : script);
}

int run_man(const Arguments& arguments) {
  return printed(arguments.json() ? json_document("man", {{"text", man_page()}}) : man_page());
}

}  // namespace

const Command kHelp{.name = "help",
                    .summary = "Explains a command, or one below it",
                    .positional = "[COMMAND...]",
                    .flags = {},
                    .details = "aisp help run\naisp help analyze leaderboard",
                    .run = run_help};
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
