// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "aisp/cli/help.h"

namespace aisp::cli {
namespace {

constexpr const char* kWorkloads = "$(aisp list --names 2>/dev/null)";
constexpr const char* kRuns = "latest $(aisp show --runs 2>/dev/null | cut -d' ' -f1)";

/// Of a group; "" = of none.
std::string command_names(const std::string& group = "") {
  std::string names;
  for (const Command* command : commands()) {
    if (!command->hidden && command->group == group) names += (names.empty() ? "" : " ") + command->name;
  }
  return names;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// What may stand where a command takes an argument, as a shell expands it; empty = files.
std::string arguments_of(const Command& command) {
  const std::string& positional = command.positional;
  std::string words;
  const auto add = [&](const std::string& more) { words += (words.empty() ? "" : " ") + more; };
  if (positional.find("WORKLOAD") != std::string::npos) add(kWorkloads);
  if (positional.find("RUN") != std::string::npos) add(kRuns);
  if (positional.find("COMMAND") != std::string::npos) add(command_names());
  if (positional.find("TOOL") != std::string::npos) add(command_names(command.name));
  if (positional.find("SHELL") != std::string::npos) add("bash zsh fish");
  if (!words.empty()) return words;
  // "check|prune|migrate": the words themselves.
  for (const char c : positional.substr(0, positional.find(' '))) {
    if (c != '|' && !(c >= 'a' && c <= 'z') && c != '-') return "";
    words += c == '|' ? ' ' : c;
  }
  return words;
}

bool takes_file(const Flag& flag) { return flag.kind != FlagKind::toggle && flag.choices.empty(); }

void bash_command(std::ostringstream& out, const Command& command) {
  std::string flags, with_value;
  out << "    " << command.name << ")\n      case \"$before\" in\n";
  for (const auto* table : {&command.flags, &common_flags()}) {
    for (const Flag& flag : *table) {
      flags += (flags.empty() ? "--" : " --") + flag.name;
      if (!flag.choices.empty())
        out << "        --" << flag.name << ") words=\"" << joined(flag.choices) << "\" ;;\n";
      if (takes_file(flag)) with_value += (with_value.empty() ? "--" : "|--") + flag.name;
    }
  }
  // Nothing offered: the shell completes file names.
  if (!with_value.empty()) out << "        " << with_value << ") return ;;\n";
  out << "        *) if [[ \"$word\" == -* ]]; then words=\"" << flags << "\"; else words=\""
      << arguments_of(command) << "\"; fi ;;\n      esac ;;\n";
}

std::string bash() {
  std::ostringstream out;
  out << "_aisp() {\n  local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD-1]}\" "
         "words=\"\"\n"
      << "  COMPREPLY=()\n"
      << "  if [ \"$COMP_CWORD\" -eq 1 ]; then COMPREPLY=($(compgen -W \"" << command_names()
      << "\" -- \"$word\")); return; fi\n"
      << "  local command=\"${COMP_WORDS[1]}\"\n"
      << "  if [ \"$command\" = utils ] && [ \"$COMP_CWORD\" -gt 2 ]; then command=\"${COMP_WORDS[2]}\"; fi\n"
      << "  case \"$command\" in\n";
  for (const Command* command : commands()) {
    if (!command->hidden) bash_command(out, *command);
  }
  out << "  esac\n  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n}\ncomplete -o default -F _aisp "
         "aisp\n";
  return out.str();
}

/// Inside single quotes of fish.
std::string quoted(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\'' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return "'" + escaped + "'";
}

void fish_flags(std::ostringstream& out, const std::string& condition, const std::vector<Flag>& flags) {
  for (const Flag& flag : flags) {
    out << "complete -c aisp" << condition << " -l " << flag.name << " -d " << quoted(flag.help);
    if (!flag.choices.empty()) out << " -x -a " << quoted(joined(flag.choices));
    if (takes_file(flag)) out << " -r -F";
    out << '\n';
  }
}

std::string fish() {
  std::ostringstream out;
  out << "complete -c aisp -f\n";
  for (const Command* command : commands()) {
    if (command->hidden) continue;
    if (command->group.empty())
      out << "complete -c aisp -n __fish_use_subcommand -a " << command->name << " -d "
          << quoted(command->summary) << '\n';
    const std::string condition = " -n '__fish_seen_subcommand_from " + command->name + "'";
    fish_flags(out, condition, command->flags);
    std::string words = arguments_of(*command);
    for (std::size_t at = 0; (at = words.find("$(", at)) != std::string::npos;) words.erase(at, 1);
    if (!words.empty()) out << "complete -c aisp" << condition << " -a " << quoted(words) << '\n';
  }
  fish_flags(out, "", common_flags());
  return out.str();
}

}  // namespace

std::string completions(const std::string& shell) {
  if (shell == "bash") return bash();
  if (shell == "zsh") return "autoload -U +X bashcompinit && bashcompinit\n" + bash();
  return shell == "fish" ? fish() : "";
}

}  // namespace aisp::cli
