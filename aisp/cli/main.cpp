// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>

#include "aisp/cli/command.h"
#include "aisp/cli/help.h"
#include "aisp/cli/parse.h"
#include "aisp/cli/settings.h"
#include "aisp/cli/terminal.h"
#include "aisp/cli/version.h"
#include "aisp/core/registry.h"
#include "aisp/harness/plan.h"
#include "aisp/report/text.h"
#include "aisp/wire/json.h"

namespace aisp::cli {
namespace {

int unknown_command(const std::string& name) {
  std::vector<std::string> known;
  for (const Command* command : commands()) {
    if (!command->hidden) known.push_back(command->name);
  }
  const auto near = harness::suggest(name, known);
  Arguments none;
  return fail(
      none, {ErrorCode::usage, "there is no command '" + name + "'",
             near.empty() ? "`aisp help` lists the commands" : "did you mean `aisp " + near.front() + "`?"});
}

/// Spellings of older tools: `bench run X`, `--targets X`, `-t X`.
std::vector<std::string> modernise(std::vector<std::string> words) {
  std::erase_if(words, [](const std::string& w) { return w == "--targets" || w == "-t"; });
  for (std::string& word : words) {
    if (word.rfind("--targets=", 0) == 0) word.erase(0, 10);
  }
  return words;
}

std::string typed(int argc, char** argv) {
  std::string text = "aisp";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool plain = !word.empty() && word.find_first_of(" *?'\"$\\") == std::string::npos;
    text += plain ? " " + word : " '" + word + "'";
  }
  return text;
}

int dispatch(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty() || words[0] == "--help" || words[0] == "-h") {
    if (!print(overview())) return static_cast<int>(ErrorCode::io);
    return words.empty() ? static_cast<int>(ErrorCode::usage) : 0;
  }
  if (words[0] == "--version") words[0] = "version";
  // `bench` was a group of commands elsewhere: `bench run X`, `bench list-targets`, or `bench X`.
  if (words[0] == "bench" && words.size() > 1 && find_command(words[1]) != nullptr)
    words.erase(words.begin());
  const Command* command = find_command(words[0]);
  if (command == nullptr) return unknown_command(words[0]);
  words.erase(words.begin());
  if (std::ranges::any_of(words, [](const std::string& w) { return w == "--help" || w == "-h"; })) {
    return print(help_of(*command)) ? 0 : static_cast<int>(ErrorCode::io);
  }
  const bool json = std::ranges::find(words, "--json") != words.end();
  Arguments error_style;
  if (json) error_style.values["json"] = {"true"};
  Result<Arguments> arguments = parse(*command, modernise(std::move(words)));
  if (!arguments) return fail(error_style, arguments.error());
  arguments->command_line = typed(argc, argv);
  if (const Status applied = apply_settings(*command, arguments->text("config"), *arguments); !applied) {
    return fail(error_style, applied.error());
  }
  if (const auto& problems = Registry::instance().problems(); !problems.empty()) {
    return fail(*arguments, {ErrorCode::internal, problems.front(), "correct the workload's registration"});
  }
  return command->run(*arguments);
}

}  // namespace

int fail(const Arguments& arguments, const Error& error) {
  if (arguments.json()) {
    const Json json{{"error",
                     {{"code", static_cast<int>(error.code)},
                      {"message", printable_utf8(error.message)},
                      {"hint", printable_utf8(error.hint)}}}};
    std::fprintf(stderr, "%s\n", json.dump().c_str());
  } else {
    // Messages quote what was typed and what workload code said: neither may steer the terminal.
    std::fprintf(stderr, "aisp: %s\n", report::visible(error.message).c_str());
    if (!error.hint.empty()) std::fprintf(stderr, "      %s\n", report::visible(error.hint).c_str());
  }
  return static_cast<int>(error.code);
}

int main(int argc, char** argv) {
  // A file-size limit is then an error of the write that meets it, with a message.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return dispatch(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "aisp: internal error: %s\n      please report it with the command you typed\n",
                 error.what());
    return static_cast<int>(ErrorCode::internal);
  }
}

}  // namespace aisp::cli
