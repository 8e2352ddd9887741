// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/settings.h"

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <toml++/toml.h>

#include "aisp/wire/json.h"

namespace aisp::cli {
namespace {

constexpr std::uintmax_t kMaxConfigBytes = 1 << 20;
constexpr int kMaxNesting = 32;

Error bad_config(const std::string& path, const std::string& what, const std::string& hint = "") {
  return {ErrorCode::bad_input, path + ": " + what, hint};
}

/// The file's text, without a byte-order mark. Names size, type, NUL and invalid UTF-8 before the parser sees
/// them.
Result<std::string> read_config(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (error && status.type() == std::filesystem::file_type::none) return bad_config(path, error.message());
  if (status.type() == std::filesystem::file_type::not_found) {
    return bad_config(path, "there is no such file", "check --config");
  }
  if (status.type() != std::filesystem::file_type::regular) return bad_config(path, "is not a regular file");
  const auto size = std::filesystem::file_size(path, error);
  if (size > kMaxConfigBytes) {
    return bad_config(
        path, std::to_string(size) + " bytes is beyond the limit of " + std::to_string(kMaxConfigBytes));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return bad_config(path, std::strerror(errno), "make it readable");
  std::ostringstream content;
  content << file.rdbuf();
  std::string text = content.str();
  if (text.rfind("\xef\xbb\xbf", 0) == 0) text.erase(0, 3);
  if (const auto nul = text.find('\0'); nul != std::string::npos) {
    return bad_config(path, "byte " + std::to_string(nul) + " is NUL");
  }
  int depth = 0;
  for (const char c : text) {
    depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    if (depth > kMaxNesting)
      return bad_config(path, "is nested deeper than " + std::to_string(kMaxNesting) + " levels");
  }
  if (printable_utf8(text) != text) return bad_config(path, "is not valid UTF-8");
  return text;
}

std::vector<std::string> texts_of(const toml::node& node) {
  std::vector<std::string> texts;
  const auto add = [&](const toml::node& value) {
    if (const auto text = value.value<std::string>(); text && value.is_string()) {
      texts.push_back(*text);
    } else if (value.is_boolean()) {
      texts.emplace_back(*value.value<bool>() ? "true" : "false");
    } else if (value.is_integer()) {
      texts.push_back(std::to_string(*value.value<std::int64_t>()));
    } else if (value.is_floating_point()) {
      std::ostringstream out;
      out << *value.value<double>();
      texts.push_back(out.str());
    }
  };
  if (const toml::array* array = node.as_array()) {
    for (const toml::node& element : *array) add(element);
  } else {
    add(node);
  }
  return texts;
}

/// Keys at the top apply to every command that has such a flag; keys in a table named after a command to that
/// one.
Status merge_file(const std::string& path, const Command& command, const std::vector<Flag>& flags,
                  Arguments& arguments) {
  const Result<std::string> text = read_config(path);
  if (!text) return text.error();
  toml::table table;
  try {
    table = toml::parse(*text, path);
  } catch (const toml::parse_error& error) {
    return bad_config(
        path, "line " + std::to_string(error.source().begin.line) + ": " + std::string(error.description()));
  }
  arguments.config_files.push_back(path);
  const toml::table* own = table[command.name].as_table();
  for (const Flag& flag : flags) {
    const toml::node* node = own != nullptr ? own->get(flag.name) : nullptr;
    if (node == nullptr) node = table.get(flag.name);
    if (node == nullptr || node->is_table() || arguments.values.contains(flag.name)) continue;
    arguments.values[flag.name] = texts_of(*node);
  }
  return Ok{};
}

std::string variable_of(const Flag& flag) {
  std::string name = "AISP_" + flag.name;
  for (char& c : name) c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

Error out_of_range(const Flag& flag, const std::string& given) {
  std::ostringstream range;
  range << "give a " << (flag.kind == FlagKind::integer ? "whole number" : "number") << " from " << flag.low
        << " to " << flag.high;
  return {ErrorCode::usage, "--" + flag.name + " '" + given + "' is not acceptable", range.str()};
}

Status check_value(const Flag& flag, const std::string& given) {
  if (flag.kind == FlagKind::choice) {
    for (const std::string& choice : flag.choices) {
      if (choice == given) return Ok{};
    }
    std::string all;
    for (const std::string& choice : flag.choices) all += (all.empty() ? "" : ", ") + choice;
    return Error{ErrorCode::usage, "--" + flag.name + " '" + given + "' is not known",
                 "choose one of " + all};
  }
  if (flag.kind != FlagKind::integer && flag.kind != FlagKind::real) return Ok{};
  char* end = nullptr;
  const double number = std::strtod(given.c_str(), &end);
  const bool whole = flag.kind != FlagKind::integer || number == std::floor(number);
  // Hexadecimal and "nan" are what strtod accepts and people do not mean.
  const bool plain = given.find_first_not_of("0123456789.eE+-") == std::string::npos;
  if (given.empty() || *end != '\0' || !plain || !whole || !(number >= flag.low && number <= flag.high)) {
    return out_of_range(flag, given);
  }
  return Ok{};
}

}  // namespace

std::string xdg_directory(const char* variable, const char* below_home) {
  const char* base = std::getenv(variable);
  if (base != nullptr && base[0] == '/') return std::string(base) + "/aisp";
  const char* home = std::getenv("HOME");
  return home == nullptr || home[0] == '\0' ? std::string() : std::string(home) + "/" + below_home + "/aisp";
}

Status apply_settings(const Command& command, const std::string& config, Arguments& arguments) {
  std::vector<Flag> flags = common_flags();
  flags.insert(flags.end(), command.flags.begin(), command.flags.end());
  for (const Flag& flag : flags) {
    if (arguments.values.contains(flag.name)) continue;
    if (const char* value = std::getenv(variable_of(flag).c_str())) arguments.values[flag.name] = {value};
  }
  if (!config.empty()) {
    if (const Status merged = merge_file(config, command, flags, arguments); !merged) return merged;
  } else {
    const std::string user = xdg_directory("XDG_CONFIG_HOME", ".config");
    for (const std::string& path : {std::string("aisp.toml"), user.empty() ? user : user + "/aisp.toml"}) {
      std::error_code ignored;
      if (path.empty() || !std::filesystem::exists(path, ignored)) continue;
      if (const Status merged = merge_file(path, command, flags, arguments); !merged) return merged;
    }
  }
  for (const Flag& flag : flags) {
    auto& values = arguments.values[flag.name];
    if (values.empty() && !flag.fallback.empty()) values = {flag.fallback};
    for (const std::string& value : values) {
      if (const Status valid = check_value(flag, value); !valid) return valid;
    }
    if (values.empty()) arguments.values.erase(flag.name);
  }
  return Ok{};
}

}  // namespace aisp::cli
