// SPDX-License-Identifier: Apache-2.0
/// \file
/// A command: its flags as data and the function that runs it. One file per command defines one `const
/// Command`; commands.cpp lists them.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "aisp/cli/flag.h"
#include "aisp/core/result.h"

namespace aisp::cli {

/// What the user asked for, after flags, AISP_* variables and configuration files were laid over one another.
class Arguments {
 public:
  std::vector<std::string> positional;
  std::map<std::string, std::vector<std::string>> values;
  std::set<std::string> typed;            ///< flags that stand on the command line itself
  std::vector<std::string> config_files;  ///< that were read; hashed with the run
  std::string command_line;               ///< as typed, for the manifest

  bool has(std::string_view flag) const;
  /// The value or the flag's default; empty when neither exists.
  std::string text(std::string_view flag) const;
  std::vector<std::string> list(std::string_view flag) const;
  double number(std::string_view flag) const;
  bool json() const { return has("json"); }
};

struct Command {
  std::string name;
  std::string summary;     ///< one line
  std::string positional;  ///< "[WORKLOAD...]"; empty = takes none; each word without "..." is one argument
  std::vector<Flag> flags;
  std::string details = {};  ///< paragraphs after the flags: examples, exit codes
  int (*run)(const Arguments&) = nullptr;
  std::vector<std::string> aliases = {};
  bool hidden = false;
  std::string group = {};  ///< "utils": also `aisp utils NAME`; the overview lists the group alone
};

/// Every command, in the order of --help.
const std::vector<const Command*>& commands();
/// By name or alias; nullptr if there is none.
const Command* find_command(std::string_view name);
/// --json, --quiet, --no-color, --store, --help: flags every command has.
const std::vector<Flag>& common_flags();

/// Prints the error (as JSON with --json) on stderr and returns its exit code.
int fail(const Arguments& arguments, const Error& error);

/// A line on stderr that does not end the command: text, or one JSON object with --json, nothing with
/// --quiet.
void warn(const Arguments& arguments, const std::string& text);
/// "there is no command 'lst'", with the nearest one.
Error unknown_command(const std::string& name);

/// The program: parses, runs a command, returns the exit code.
int main(int argc, char** argv);

}  // namespace aisp::cli
