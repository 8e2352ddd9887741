// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "aisp/cli/help.h"
#include "aisp/cli/version.h"

namespace aisp::cli {
namespace {

/// A dash in a man page is a hyphen unless it is escaped; a line that begins with a dot or a quote is a
/// command.
std::string man_text(const std::string& text) {
  std::string escaped;
  char before = '\n';
  for (const char c : text) {
    if (before == '\n' && (c == '.' || c == '\'')) escaped += "\\&";
    if (c == '-' || c == '\\') escaped += '\\';
    escaped += c;
    before = c;
  }
  return escaped;
}

void list_flags(std::ostringstream& out, const std::vector<Flag>& flags) {
  for (const Flag& flag : flags)
    out << ".TP\n.B " << man_text(spelled(flag)) << '\n' << man_text(with_default(flag)) << '\n';
}

}  // namespace

std::string man_page() {
  std::ostringstream out;
  out << ".TH AISP 1 \"\" \"aisp " << version() << "\" \"AI Systems Performance\"\n"
      << ".SH NAME\naisp \\- proves performance gains\n"
      << ".SH SYNOPSIS\n.B aisp\n.I COMMAND\n[\\fIARGUMENTS\\fR]\n.SH COMMANDS\n";
  for (const Command* command : commands()) {
    if (command->hidden) continue;
    out << ".SS " << man_text(full_name(*command) + " " + command->positional) << '\n'
        << man_text(command->summary) << '\n';
    list_flags(out, command->flags);
    if (!command->details.empty()) out << ".P\n.nf\n" << man_text(command->details) << "\n.fi\n";
  }
  out << ".SH FLAGS OF EVERY COMMAND\n";
  list_flags(out, common_flags());
  out << ".SH CONFIGURATION\nA flag that is not given is taken from the variable AISP_\\fIFLAG\\fR "
         "(AISP_TIME_BUDGET for \\-\\-time\\-budget; a semicolon separates the values of a list; an empty "
         "variable counts as unset), then from ./aisp.toml, then from aisp.toml in the user's configuration "
         "directory. A key is named as its flag; in a table named after a command it holds for that command. "
         "A key that no command has is an error.\n";
  out << ".SH EXIT STATUS\n0 valid, 1 invalid or regression, 2 usage, 3 bad input, 4 environment unsuitable "
         "or unproven, "
         "5 sandbox too weak, 6 store unusable, 7 input or output failed, 8 workload crashed or timed out, "
         "9 inconclusive, 70 internal error; ended by a signal 128 and its number: 130 by Ctrl\\-C, 143 by "
         "SIGTERM, 129 by SIGHUP.\n";
  return out.str();
}

}  // namespace aisp::cli
