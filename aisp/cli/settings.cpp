// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/settings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include <unistd.h>

#include "aisp/cli/commands.h"
#include "aisp/cli/config_file.h"
#include "aisp/core/nearest.h"

namespace aisp::cli {
namespace {

/// Where a value came from, for messages: whoever reads "--attempts" looks for it on the command line.
struct Source {
  std::string name;
  ErrorCode code = ErrorCode::usage;
};

std::string number_text(double number) {
  return number == std::floor(number) && std::fabs(number) < 1e18 ? fmt::format("{:.0f}", number)
                                                                  : fmt::format("{:g}", number);
}

std::string range_hint(const Flag& flag) {
  return fmt::format("give a {} from {} to {}", flag.kind == FlagKind::integer ? "whole number" : "number",
                     number_text(flag.low), number_text(flag.high));
}

Status check_choice(const Flag& flag, const std::string& given, const Source& source) {
  std::string all;
  for (const std::string& choice : flag.choices) {
    if (choice == given) return Ok{};
    all += (all.empty() ? "" : ", ") + choice;
  }
  const auto near = nearest(given, flag.choices);
  return Error{source.code, source.name + " '" + given + "' is not known",
               (near.empty() ? "" : "did you mean '" + near.front() + "'? ") + "choose one of " + all};
}

/// "true" or "false" for what people write.
Result<std::string> toggle_text(const std::string& given, const Source& source) {
  for (const char* yes : {"true", "1", "yes", "on"}) {
    if (given == yes) return std::string("true");
  }
  for (const char* no : {"false", "0", "no", "off"}) {
    if (given == no) return std::string("false");
  }
  return Error{source.code, source.name + " '" + given + "' is not acceptable",
               "give true or false (1, 0, yes, no, on and off are understood too)"};
}

Status check_value(const Flag& flag, std::string& given, const Source& source) {
  if (flag.kind == FlagKind::choice) return check_choice(flag, given, source);
  if (flag.kind == FlagKind::toggle) {
    const Result<std::string> text = toggle_text(given, source);
    if (!text) return text.error();
    given = *text;
    return Ok{};
  }
  if (flag.kind != FlagKind::integer && flag.kind != FlagKind::real) return Ok{};
  char* end = nullptr;
  const double number = std::strtod(given.c_str(), &end);
  const bool whole = flag.kind != FlagKind::integer || number == std::floor(number);
  // Hexadecimal and "nan" are what strtod accepts and people do not mean.
  const bool plain = given.find_first_not_of("0123456789.eE+-") == std::string::npos;
  if (given.empty() || *end != '\0' || !plain || !whole || !(number >= flag.low && number <= flag.high)) {
    return Error{source.code, source.name + " '" + given + "' is not acceptable", range_hint(flag)};
  }
  return Ok{};
}

/// ';' separates the values of a list: ',' stands in --param, ':' in paths.
std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    if (end > at) parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

/// A shell expands ~ on the command line; nothing does in files and variables.
void expand_home(const Flag& flag, std::vector<std::string>& values) {
  constexpr std::array kPaths{"FILE", "DIR", "STORE"};
  const char* home = std::getenv("HOME");
  if (std::ranges::find(kPaths, flag.value) == kPaths.end() || home == nullptr || home[0] == '\0') return;
  for (std::string& value : values) {
    if (value.rfind("~/", 0) == 0) value.replace(0, 1, home);
  }
}

std::vector<std::string> config_paths(const std::string& given) {
  if (!given.empty()) return {given};
  std::vector<std::string> paths{"aisp.toml"};
  if (const std::string user = xdg_directory("XDG_CONFIG_HOME", ".config"); !user.empty())
    paths.push_back(user + "/aisp.toml");
  std::error_code ignored;
  std::erase_if(paths, [&](const std::string& path) { return !std::filesystem::exists(path, ignored); });
  return paths;
}

/// A variable whose name is one letter off would be ignored, and its user believe that it was not.
Status check_variables() {
  std::vector<std::string> known{"SIMD"};
  for (const Command* command : commands()) {
    for (const Flag& flag : command->flags) known.push_back(variable_of(flag).substr(5));
  }
  for (const Flag& flag : common_flags()) known.push_back(variable_of(flag).substr(5));
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string variable(*entry, std::strcspn(*entry, "="));
    if (variable.rfind("AISP_", 0) != 0) continue;
    const std::string name = variable.substr(5);
    if (std::ranges::find(known, name) != known.end()) continue;
    if (const auto near = nearest(name, known); !near.empty()) {
      return Error{ErrorCode::usage, "the variable " + variable + " sets nothing",
                   "did you mean AISP_" + near.front() + "?"};
    }
  }
  return Ok{};
}

}  // namespace

Status check_flag(const Flag& flag, std::string& given, const std::string& source) {
  return check_value(flag, given, {source});
}

std::string variable_of(const Flag& flag) {
  std::string name = "AISP_" + flag.name;
  for (char& c : name) c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

std::string xdg_directory(const char* variable, const char* below_home) {
  const char* base = std::getenv(variable);
  if (base != nullptr && base[0] == '/') return std::string(base) + "/aisp";
  const char* home = std::getenv("HOME");
  return home == nullptr || home[0] == '\0' ? std::string() : std::string(home) + "/" + below_home + "/aisp";
}

Status apply_settings(const Command& command, const std::string& config, Arguments& arguments) {
  if (const Status known = check_variables(); !known) return known;
  std::vector<Flag> flags = common_flags();
  flags.insert(flags.end(), command.flags.begin(), command.flags.end());
  std::map<std::string, Source> sources;
  for (const Flag& flag : flags) {
    sources[flag.name] = {"--" + flag.name};
    if (arguments.values.contains(flag.name)) continue;
    const std::string variable = variable_of(flag);
    const char* value = std::getenv(variable.c_str());
    if (value == nullptr || value[0] == '\0') continue;  // empty is unset, as XDG has it
    auto& values = arguments.values[flag.name];
    values = flag.kind == FlagKind::list ? split_list(value) : std::vector<std::string>{value};
    expand_home(flag, values);
    sources[flag.name] = {variable};
  }
  for (const std::string& path : config_paths(config)) {
    const auto read = read_config_file(path, command);
    if (!read) return read.error();
    arguments.config_files.push_back(path);
    for (const Flag& flag : flags) {
      const auto found = read->find(flag.name);
      if (found == read->end() || arguments.values.contains(flag.name)) continue;
      auto& values = arguments.values[flag.name];
      values = found->second.texts;
      expand_home(flag, values);
      sources[flag.name] = {found->second.where, ErrorCode::bad_input};
    }
  }
  for (const Flag& flag : flags) {
    auto& values = arguments.values[flag.name];
    if (values.empty() && !flag.fallback.empty()) values = {flag.fallback};
    for (std::string& value : values) {
      if (const Status valid = check_value(flag, value, sources[flag.name]); !valid) return valid;
    }
    if (values.empty()) arguments.values.erase(flag.name);
  }
  return Ok{};
}

}  // namespace aisp::cli
