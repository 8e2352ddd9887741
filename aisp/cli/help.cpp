// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/help.h"

#include <sstream>

#include "aisp/cli/version.h"

namespace aisp::cli {
namespace {

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

void list_flags(std::ostringstream& out, const std::vector<Flag>& flags) {
  for (const Flag& flag : flags) {
    std::string left = "  " + spelled(flag);
    left.resize(std::max<std::size_t>(left.size() + 2, 28), ' ');
    out << left << with_default(flag) << '\n';
  }
}

/// A dash in a man page is a hyphen unless it is escaped.
std::string man_text(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '-' || c == '\\') escaped += '\\';
    escaped += c;
    if (c == '\n') escaped += "";
  }
  return escaped;
}

}  // namespace

std::string overview() {
  std::ostringstream out;
  out << "aisp " << version() << ": proves performance gains.\n\nusage: aisp COMMAND [ARGUMENTS]\n\n";
  for (const Command* command : commands()) {
    if (command->hidden) continue;
    std::string name = "  " + command->name;
    name.resize(16, ' ');
    out << name << command->summary << '\n';
  }
  out << "\n`aisp COMMAND --help` explains a command. Start with `aisp list` and `aisp run ch07`.\n";
  return out.str();
}

std::string help_of(const Command& command) {
  std::ostringstream out;
  out << "usage: aisp " << command.name << (command.positional.empty() ? "" : " " + command.positional)
      << " [FLAGS]\n\n"
      << command.summary << "\n\n";
  if (!command.flags.empty()) {
    list_flags(out, command.flags);
    out << '\n';
  }
  out << "everywhere:\n";
  list_flags(out, common_flags());
  if (!command.details.empty()) out << '\n' << command.details << '\n';
  return out.str();
}

std::string man_page() {
  std::ostringstream out;
  out << ".TH AISP 1 \"\" \"aisp " << version() << "\" \"AI Systems Performance\"\n"
      << ".SH NAME\naisp \\- proves performance gains\n"
      << ".SH SYNOPSIS\n.B aisp\n.I COMMAND\n[\\fIARGUMENTS\\fR]\n.SH COMMANDS\n";
  for (const Command* command : commands()) {
    if (command->hidden) continue;
    out << ".SS " << man_text(command->name + " " + command->positional) << '\n'
        << man_text(command->summary) << '\n';
    for (const Flag& flag : command->flags) {
      out << ".TP\n.B " << man_text(spelled(flag)) << '\n' << man_text(with_default(flag)) << '\n';
    }
    if (!command->details.empty()) out << ".P\n.nf\n" << man_text(command->details) << "\n.fi\n";
  }
  out << ".SH FLAGS OF EVERY COMMAND\n";
  for (const Flag& flag : common_flags()) {
    out << ".TP\n.B " << man_text(spelled(flag)) << '\n' << man_text(with_default(flag)) << '\n';
  }
  out << ".SH EXIT STATUS\n0 valid, 1 invalid or regression, 2 usage, 3 bad input, 4 environment unsuitable "
         "or unproven, "
         "5 sandbox too weak, 6 store unusable, 7 input or output failed, 8 workload crashed or timed out, "
         "9 inconclusive, 70 internal error, 130 or 143 interrupted.\n";
  return out.str();
}

std::string completions(const std::string& shell) {
  std::ostringstream out;
  std::string names;
  for (const Command* command : commands()) {
    if (!command->hidden) names += (names.empty() ? "" : " ") + command->name;
  }
  const auto flags_of = [](const Command& command) {
    std::string flags;
    for (const auto* table : {&command.flags, &common_flags()}) {
      for (const Flag& flag : *table) flags += " --" + flag.name;
    }
    return flags;
  };
  if (shell == "bash" || shell == "zsh") {
    if (shell == "zsh") out << "autoload -U +X bashcompinit && bashcompinit\n";
    out << "_aisp() {\n  local word=\"${COMP_WORDS[COMP_CWORD]}\" flags=\"\"\n"
        << "  if [ \"$COMP_CWORD\" -eq 1 ]; then COMPREPLY=($(compgen -W \"" << names
        << "\" -- \"$word\")); return; fi\n"
        << "  case \"${COMP_WORDS[1]}\" in\n";
    for (const Command* command : commands()) {
      if (!command->hidden) out << "    " << command->name << ") flags=\"" << flags_of(*command) << "\" ;;\n";
    }
    out << "  esac\n  if [[ \"$word\" == -* ]]; then COMPREPLY=($(compgen -W \"$flags\" -- \"$word\"));\n"
        << "  else COMPREPLY=($(compgen -W \"$(aisp list --names 2>/dev/null)\" -- \"$word\")); fi\n}\n"
        << "complete -o default -F _aisp aisp\n";
  } else if (shell == "fish") {
    for (const Command* command : commands()) {
      if (command->hidden) continue;
      out << "complete -c aisp -n __fish_use_subcommand -a " << command->name << " -d '" << command->summary
          << "'\n";
      for (const Flag& flag : command->flags) {
        out << "complete -c aisp -n '__fish_seen_subcommand_from " << command->name << "' -l " << flag.name
            << (flag.kind == FlagKind::toggle ? "" : " -r") << '\n';
      }
    }
    out << "complete -c aisp -n '__fish_seen_subcommand_from run verify list' -a '(aisp list --names)'\n";
  }
  return out.str();
}

}  // namespace aisp::cli
