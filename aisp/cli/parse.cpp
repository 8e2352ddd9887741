// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/parse.h"

#include <algorithm>
#include <limits>
#include <map>
#include <sstream>

#include <CLI/CLI.hpp>

#include "aisp/core/nearest.h"

namespace aisp::cli {
namespace {

std::vector<Flag> all_flags(const Command& command) {
  std::vector<Flag> flags = common_flags();
  flags.insert(flags.end(), command.flags.begin(), command.flags.end());
  return flags;
}

std::string listed_at(const Command& command) { return "`aisp " + command.name + " --help` lists the flags"; }

Error needs_value(const Command& command, const Flag& flag) {
  std::string choices;
  for (const std::string& choice : flag.choices) choices += (choices.empty() ? "" : ", ") + choice;
  const std::string value = flag.value.empty() ? "VALUE" : flag.value;
  return {ErrorCode::usage, "--" + flag.name + " needs a value",
          choices.empty() ? "--" + flag.name + " " + value + "; " + listed_at(command)
                          : "choose one of " + choices};
}

/// In this program's words what is wrong: CLI11 speaks of TEXT and conversions. A misspelt flag is the
/// commonest mistake of all, so the nearest is named.
Error explain(const Command& command, const std::vector<std::string>& words, const std::string& message) {
  const std::vector<Flag> flags = all_flags(command);
  std::vector<std::string> known;
  for (const Flag& flag : flags) known.push_back("--" + flag.name);
  for (std::size_t at = 0; at < words.size() && words[at] != "--"; ++at) {
    const std::string& word = words[at];
    if (word.size() < 2 || word[0] != '-') continue;
    const std::string name = word.substr(0, word.find('='));
    const auto flag = std::ranges::find_if(
        flags, [&](const Flag& f) { return "--" + f.name == name || (!f.alias.empty() && f.alias == name); });
    if (flag == flags.end()) {
      const auto near = nearest(name, known);
      return {ErrorCode::usage, "there is no flag " + name + " for `aisp " + command.name + "`",
              near.empty() ? listed_at(command) : "did you mean " + near.front() + "?"};
    }
    if (flag->kind == FlagKind::toggle) {
      if (name != word) return {ErrorCode::usage, name + " takes no value", "write " + name + " alone"};
      continue;
    }
    const bool given = name != word ? word.size() > name.size() + 1
                                    : at + 1 < words.size() && words[at + 1].rfind("--", 0) != 0;
    if (!given) return needs_value(command, *flag);
    if (name == word) ++at;
  }
  return {ErrorCode::usage, message, listed_at(command)};
}

/// How many arguments "RUN", "[chapters] [WORKLOAD...]" or "" allow.
std::size_t most_positional(const std::string& positional) {
  if (positional.find("...") != std::string::npos) return std::numeric_limits<std::size_t>::max();
  std::istringstream words(positional);
  return static_cast<std::size_t>(
      std::distance(std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()));
}

/// What is ignored in silence may be what was meant.
Status check_positional(const Command& command, const std::vector<std::string>& given) {
  const std::size_t most = most_positional(command.positional);
  if (given.size() <= most) return Ok{};
  return Error{ErrorCode::usage,
               "`aisp " + command.name + "` takes " +
                   (command.positional.empty() ? "no arguments" : command.positional) + ": '" + given[most] +
                   "' is too much",
               "`aisp " + command.name + " --help` shows its use"};
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
  app.add_option("positional", arguments.positional, command.positional);
  std::vector<std::string> reversed(words.rbegin(), words.rend());  // CLI11 takes them last first
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    return explain(command, words, error.what());
  }
  if (const Status fits = check_positional(command, arguments.positional); !fits) return fits.error();
  for (const auto& [name, given] : toggles) {
    if (given) arguments.values[name] = {"true"};
  }
  std::erase_if(arguments.values, [](const auto& entry) { return entry.second.empty(); });
  for (const auto& [name, values] : arguments.values) arguments.typed.insert(name);
  return arguments;
}

}  // namespace aisp::cli
