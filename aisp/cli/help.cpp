// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/help.h"

#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "aisp/cli/json_document.h"
#include "aisp/cli/version.h"

namespace aisp::cli {
namespace {

void print_flags(std::ostringstream& out, const std::vector<Flag>& flags) {
  for (const Flag& flag : flags) {
    std::string left = "  " + spelled(flag);
    left.resize(std::max<std::size_t>(left.size() + 2, 28), ' ');
    out << left << with_default(flag) << '\n';
  }
}

/// Those of a group; "" = those of none.
void list_commands(std::ostringstream& out, const std::string& group) {
  for (const Command* command : commands()) {
    if (command->hidden || command->group != group) continue;
    std::string name = "  " + command->name;
    name.resize(group.empty() ? 16 : 18, ' ');
    out << name << command->summary << '\n';
    if (const auto members = names_of_group(command->name); !members.empty())
      out << std::string(16, ' ') << fmt::format("{}\n", fmt::join(members, ", "));
  }
}

Json json_of(const Flag& flag) {
  Json json{{"name", flag.name}, {"takes_value", flag.kind != FlagKind::toggle}, {"help", flag.help}};
  if (!flag.value.empty()) json["value"] = flag.value;
  if (!flag.choices.empty()) json["choices"] = flag.choices;
  if (!flag.fallback.empty()) json["default"] = flag.fallback;
  return json;
}

Json json_of(const std::vector<Flag>& flags) {
  Json json = Json::array();
  for (const Flag& flag : flags) json.push_back(json_of(flag));
  return json;
}

Json json_of(const Command& command) {
  return {{"name", command.name},
          {"summary", command.summary},
          {"positional", command.positional},
          {"flags", json_of(command.flags)},
          {"details", command.details}};
}

}  // namespace

std::string spelled(const Flag& flag) {
  return "--" + flag.name +
         (flag.kind == FlagKind::toggle ? "" : " " + (flag.value.empty() ? "VALUE" : flag.value));
}

std::string with_default(const Flag& flag) {
  std::string text = flag.help;
  if (!flag.choices.empty()) {
    text += " (";
    for (std::size_t i = 0; i < flag.choices.size(); ++i) text += (i > 0 ? ", " : "") + flag.choices[i];
    text += ")";
  }
  return flag.fallback.empty() ? text : text + " [" + flag.fallback + "]";
}

std::string full_name(const Command& command) {
  return command.group.empty() ? command.name : command.group + " " + command.name;
}

std::vector<std::string> names_of_group(const std::string& group) {
  std::vector<std::string> names;
  for (const Command* command : commands()) {
    if (!command->hidden && command->group == group) names.push_back(command->name);
  }
  return names;
}

std::string overview() {
  std::ostringstream out;
  out << "aisp " << version() << ": proves performance gains.\n\nusage: aisp COMMAND [ARGUMENTS]\n\n";
  list_commands(out, "");
  out << "\n`aisp COMMAND --help` explains a command, `aisp COMMAND WORD --help` one of the words below it.\n"
         "Start with `aisp list` and `aisp run ch07`.\n";
  return out.str();
}

std::string help_of(const Command& command) {
  std::ostringstream out;
  out << "usage: aisp " << full_name(command) << (command.positional.empty() ? "" : " " + command.positional)
      << " [FLAGS]\n\n"
      << command.summary << "\n\n";
  std::ostringstream group;
  list_commands(group, command.name);
  if (!group.str().empty()) out << group.str() << '\n';
  if (!command.flags.empty()) {
    print_flags(out, command.flags);
    out << '\n';
  }
  out << "everywhere:\n";
  print_flags(out, common_flags());
  if (!command.details.empty()) out << '\n' << command.details << '\n';
  return out.str();
}

std::string overview_json() {
  Json json{{"commands", Json::array()}, {"common_flags", json_of(common_flags())}};
  for (const Command* command : commands()) {
    if (!command->hidden) json["commands"].push_back(json_of(*command));
  }
  return json_document("help", json);
}

std::string help_json(const Command& command) {
  return json_document(
      "help", {{"commands", Json::array({json_of(command)})}, {"common_flags", json_of(common_flags())}});
}

}  // namespace aisp::cli
