// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/older_spellings.h"

#include <algorithm>
#include <optional>

#include "aisp/cli/commands.h"

namespace aisp::cli {
namespace {

/// The value of flag `name` where it stands at words[at], as `--name VALUE` or `--name=VALUE`; moves `at` to
/// its last word.
std::optional<std::string> value_at(const std::vector<std::string>& words, std::size_t& at,
                                    const std::string& name) {
  if (words[at].rfind(name + "=", 0) == 0) return words[at].substr(name.size() + 1);
  if (words[at] != name || at + 1 >= words.size()) return std::nullopt;
  return words[++at];
}

void add_targets(const std::string& list, std::vector<std::string>& words) {
  std::size_t at = 0;
  while (at <= list.size()) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    if (end > at) words.push_back(list.substr(at, end - at));
    at = end + 1;
  }
}

}  // namespace

Result<Modern> modernise(const Command& command, const std::vector<std::string>& words) {
  Modern modern;
  if (command.name != "list" && command.name != "run" && command.name != "verify") return Modern{words, {}};
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (words[at] == "--") {  // nothing behind it is a flag
      modern.words.insert(modern.words.end(), words.begin() + static_cast<std::ptrdiff_t>(at), words.end());
      break;
    }
    std::optional<std::string> targets = value_at(words, at, "--targets");
    if (!targets) targets = value_at(words, at, "-t");
    if (targets) {
      add_targets(*targets, modern.words);
    } else if (const auto profile = value_at(words, at, "--profile")) {
      if (*profile != "none" && *profile != "minimal") {
        return Error{ErrorCode::usage, "--profile '" + *profile + "' is not known",
                     "choose none or minimal: no profiler runs beside a measurement"};
      }
      if (*profile == "minimal")
        modern.notes.emplace_back(
            "--profile minimal is taken for none: no profiler runs beside a measurement");
    } else {
      modern.words.push_back(words[at]);
    }
  }
  return modern;
}

void move_common_flags(std::vector<std::string>& words) {
  std::vector<std::string> moved;
  while (!words.empty()) {
    const std::string name = words[0].substr(0, words[0].find('='));
    const auto flag =
        std::ranges::find_if(common_flags(), [&](const Flag& f) { return "--" + f.name == name; });
    if (flag == common_flags().end()) break;
    const std::size_t used = flag->kind == FlagKind::toggle || name != words[0] ? 1 : 2;
    const auto end = words.begin() + static_cast<std::ptrdiff_t>(std::min(used, words.size()));
    moved.insert(moved.end(), words.begin(), end);
    words.erase(words.begin(), end);
  }
  words.insert(words.begin() + (words.empty() ? 0 : 1), moved.begin(), moved.end());
}

std::vector<std::string> without_group(const std::vector<std::string>& words) {
  const std::string& group = words.front();
  if (std::ranges::none_of(commands(), [&](const Command* c) { return c->group == group; })) return words;
  std::vector<std::string> rest;
  std::string tool;
  bool dashes = false;
  for (std::size_t at = 1; at < words.size(); ++at) {
    const bool may_name = tool.empty() && group == kUtils.name;
    if (const auto named = may_name ? value_at(words, at, "--tool") : std::nullopt) {
      tool = *named;
    } else if (words[at] == "--" && !tool.empty() && !dashes) {
      dashes = true;  // what follows are the tool's flags
    } else {
      rest.push_back(words[at]);
    }
  }
  if (tool.empty()) {
    move_common_flags(rest);
    if (rest.empty()) return words;
    tool = rest.front();
    rest.erase(rest.begin());
  }
  const Command* command = find_command(tool);
  if (command == nullptr || command->group != group) return words;
  rest.insert(rest.begin(), tool);
  return rest;
}

}  // namespace aisp::cli
