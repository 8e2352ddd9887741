// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "aisp/cli/help.h"

namespace aisp::cli {
namespace {

constexpr const char* kWorkloads = "$(aisp list --names 2>/dev/null)";
constexpr const char* kRuns = "latest $(aisp show --runs 2>/dev/null | cut -d' ' -f1)";

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// Commands that others stand below: "analyze", "utils".
std::vector<std::string> groups() {
  std::vector<std::string> names = names_of_group("");
  std::erase_if(names, [](const std::string& name) { return names_of_group(name).empty(); });
  return names;
}

/// What may stand where a command takes an argument, as a shell expands it; empty = files.
std::string arguments_of(const Command& command) {
  const std::string& positional = command.positional;
  std::string words;
  const auto add = [&](const std::string& more) {
    if (!more.empty()) words += (words.empty() ? "" : " ") + more;
  };
  if (positional.find("WORKLOAD") != std::string::npos) add(kWorkloads);
  if (positional.find("RUN") != std::string::npos) add(kRuns);
  if (positional.find("COMMAND") != std::string::npos) add(joined(names_of_group("")));
  add(joined(names_of_group(command.name)));
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
      << "  if [ \"$COMP_CWORD\" -eq 1 ]; then COMPREPLY=($(compgen -W \"" << joined(names_of_group(""))
      << "\" -- \"$word\")); return; fi\n"
      << "  local command=\"${COMP_WORDS[1]}\"\n"
      << "  if [ \"$COMP_CWORD\" -gt 2 ]; then case \"$command ${COMP_WORDS[2]}\" in\n";
  // A word below a group is a command of its own, and help takes the words of a group behind it.
  for (const std::string& group : groups()) {
    out << "    \"" << group << " \"*) command=\"${COMP_WORDS[2]}\" ;;\n"
        << "    \"help " << group << "\") command=" << group << " ;;\n";
  }
  out << "    help*) return ;;\n  esac; fi\n"
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
    std::string condition = " -n '__fish_seen_subcommand_from " + command->name + "'";
    fish_flags(out, condition, command->flags);
    std::string words = arguments_of(*command);
    // The words of a group are offered until one of them stands there.
    if (const auto members = names_of_group(command->name); !members.empty())
      condition.insert(condition.size() - 1, "; and not __fish_seen_subcommand_from " + joined(members));
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
