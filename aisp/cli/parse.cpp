// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/parse.h"

#include <algorithm>
#include <map>

#include <CLI/CLI.hpp>

#include "aisp/harness/plan.h"

namespace aisp::cli {
namespace {

std::vector<Flag> all_flags(const Command& command) {
  std::vector<Flag> flags = common_flags();
  flags.insert(flags.end(), command.flags.begin(), command.flags.end());
  return flags;
}

/// Points at the nearest flag: a misspelt one is the commonest mistake of all.
Error explain(const Command& command, const std::vector<std::string>& words, const std::string& message) {
  std::vector<std::string> known;
  for (const Flag& flag : all_flags(command)) known.push_back("--" + flag.name);
  std::string hint = "`aisp " + command.name + " --help` lists the flags";
  for (const std::string& word : words) {
    const std::string name = word.substr(0, word.find('='));
    if (name.rfind("--", 0) != 0 || std::ranges::find(known, name) != known.end()) continue;
    const auto near = harness::suggest(name, known);
    if (!near.empty()) hint = "did you mean " + near.front() + "?";
    return {ErrorCode::usage, "there is no flag " + name + " for `aisp " + command.name + "`", hint};
  }
  return {ErrorCode::usage, message, hint};
}

}  // namespace

Result<Arguments> parse(const Command& command, const std::vector<std::string>& words) {
  CLI::App app(command.summary, "aisp " + command.name);
  app.set_help_flag();
  Arguments arguments;
  std::map<std::string, bool> toggles;
  for (const Flag& flag : all_flags(command)) {
    std::string names = "--" + flag.name;
    if (!flag.alias.empty()) names += "," + flag.alias;
    if (flag.kind == FlagKind::toggle) {
      app.add_flag(names, toggles[flag.name], flag.help);
    } else {
      auto* option = app.add_option(names, arguments.values[flag.name], flag.help);
      // One value after each flag: what follows it is positional.
      option->expected(1)->allow_extra_args(false);
      option->multi_option_policy(flag.kind == FlagKind::list ? CLI::MultiOptionPolicy::TakeAll
                                                              : CLI::MultiOptionPolicy::TakeLast);
    }
  }
  if (!command.positional.empty()) app.add_option("positional", arguments.positional, command.positional);
  std::vector<std::string> reversed(words.rbegin(), words.rend());  // CLI11 takes them last first
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    return explain(command, words, error.what());
  }
  for (const auto& [name, given] : toggles) {
    if (given) arguments.values[name] = {"true"};
  }
  std::erase_if(arguments.values, [](const auto& entry) { return entry.second.empty(); });
  return arguments;
}

}  // namespace aisp::cli
