// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/config_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "aisp/cli/toml_scan.h"
#include "aisp/core/nearest.h"
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
Result<std::string> read_text(const std::string& path) {
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
  const std::size_t skipped = text.starts_with("\xef\xbb\xbf") ? 3 : 0;  // of a byte order mark
  text.erase(0, skipped);
  if (const auto nul = text.find('\0'); nul != std::string::npos) {
    return bad_config(path, "byte " + std::to_string(skipped + nul) + " is NUL");
  }
  if (const std::size_t valid = valid_utf8_bytes(text); valid < text.size())
    return bad_config(path, "byte " + std::to_string(skipped + valid) + " is not valid UTF-8");
  const TomlScan scan = scan_toml(text);
  if (scan.deepest > kMaxNesting)
    return bad_config(path, "is nested deeper than " + std::to_string(kMaxNesting) + " levels");
  if (scan.stray_line > 0) {
    return bad_config(path,
                      "line " + std::to_string(scan.stray_line) + " has a letter beyond ASCII out of place",
                      "such letters stand in \"quotes\" of one line, or in comments");
  }
  return text;
}

/// The flags of a command with this name, its own before those of every command.
const Flag* find_flag(const Command& command, std::string_view name) {
  for (const auto* table : {&command.flags, &common_flags()}) {
    const auto found = std::ranges::find(*table, name, &Flag::name);
    if (found != table->end()) return &*found;
  }
  return nullptr;
}

/// A flag of any command: a file may set things for commands other than this one.
const Flag* find_anywhere(const Command& preferred, std::string_view name) {
  if (const Flag* flag = find_flag(preferred, name)) return flag;
  for (const Command* command : commands()) {
    if (command->hidden) continue;
    if (const Flag* flag = find_flag(*command, name)) return flag;
  }
  return nullptr;
}

std::string expected(FlagKind kind) {
  switch (kind) {
    case FlagKind::toggle:
      return "true or false";
    case FlagKind::integer:
      return "a whole number";
    case FlagKind::real:
      return "a number";
    case FlagKind::list:
      return "a text or a list of texts, in quotes";
    case FlagKind::text:
    case FlagKind::choice:
      break;
  }
  return "a text in quotes";
}

std::optional<std::string> scalar_text(const toml::node& node, FlagKind kind) {
  const bool number = kind == FlagKind::integer || kind == FlagKind::real;
  if (node.is_string() && !number) return node.value<std::string>();
  if (node.is_boolean() && kind == FlagKind::toggle) return *node.value<bool>() ? "true" : "false";
  if (node.is_integer() && (number || kind == FlagKind::toggle))
    return std::to_string(*node.value<std::int64_t>());
  if (node.is_floating_point() && kind == FlagKind::real) return fmt::format("{}", *node.value<double>());
  return std::nullopt;
}

/// Nothing when the value is of another type than the flag's.
std::optional<std::vector<std::string>> texts_of(const toml::node& node, FlagKind kind) {
  std::vector<std::string> texts;
  const toml::array* array = node.as_array();
  if (array == nullptr || kind != FlagKind::list) {
    const auto text = scalar_text(node, kind);
    if (!text) return std::nullopt;
    return std::vector{*text};
  }
  for (const toml::node& element : *array) {
    const auto text = scalar_text(element, kind);
    if (!text) return std::nullopt;
    texts.push_back(*text);
  }
  return texts;
}

class Reader {
 public:
  Reader(const std::string& path, const Command& command) : path_(path), command_(command) {}

  Status table(const toml::table& table) {
    // What stands in the command's own table comes second, and replaces.
    for (const auto& [key, node] : table) {
      if (node.is_table()) continue;
      if (const Status read = setting(key.str(), key.source().begin.line, node, command_, true); !read)
        return read;
    }
    for (const auto& [key, node] : table) {
      if (!node.is_table()) continue;
      const Command* owner = find_command(key.str());
      if (owner == nullptr || owner->hidden) return unknown_table(key);
      for (const auto& [name, value] : *node.as_table()) {
        if (const Status read = setting(name.str(), name.source().begin.line, value, *owner, false); !read)
          return read;
      }
    }
    return Ok{};
  }

  std::map<std::string, ConfigValue> values;

 private:
  std::string at(std::size_t line, std::string_view what) const {
    return "line " + std::to_string(line) + ": " + std::string(what);
  }

  Status unknown_table(const toml::key& key) const {
    std::vector<std::string> known;
    for (const Command* command : commands()) {
      if (!command->hidden) known.push_back(command->name);
    }
    const std::string name(key.str());
    const auto near = nearest(name, known);
    return bad_config(
        path_, at(key.source().begin.line, "there is no command '" + name + "' to set up"),
        near.empty() ? "a table is named after a command: [run]" : "did you mean [" + near.front() + "]?");
  }

  Status unknown_key(const std::string& name, std::size_t line, const Command& owner, bool top) const {
    std::set<std::string> known;
    for (const Command* command : commands()) {
      if (command->hidden || (!top && command != &owner)) continue;
      for (const auto* table : {&command->flags, &common_flags()}) {
        for (const Flag& flag : *table) known.insert(flag.name);
      }
    }
    const auto near = nearest(name, {known.begin(), known.end()});
    const std::string of = top ? "" : " of `aisp " + owner.name + "`";
    return bad_config(path_, at(line, "there is no setting '" + name + "'" + of),
                      near.empty() ? "settings are named as the flags: `aisp help`"
                                   : "did you mean '" + near.front() + "'?");
  }

  Status setting(std::string_view key, std::size_t line, const toml::node& node, const Command& owner,
                 bool top) {
    const std::string name(key);
    const Flag* flag = top ? find_anywhere(owner, name) : find_flag(owner, name);
    if (flag == nullptr) {
      // run = 5: a command's name stands for a table.
      if (top && find_command(name) != nullptr)
        return bad_config(path_, at(line, name + " is a command"), "write its settings below [" + name + "]");
      return unknown_key(name, line, owner, top);
    }
    const auto texts = texts_of(node, flag->kind);
    if (!texts)
      return bad_config(path_, at(line, name + " has a value of another type"),
                        "give " + expected(flag->kind));
    if (&owner == &command_ && find_flag(command_, name) != nullptr)
      values[name] = {*texts, path_ + ": " + at(line, name)};
    return Ok{};
  }

  const std::string& path_;
  const Command& command_;
};

}  // namespace

Result<std::map<std::string, ConfigValue>> read_config_file(const std::string& path, const Command& command) {
  const Result<std::string> text = read_text(path);
  if (!text) return text.error();
  toml::table table;
  try {
    table = toml::parse(*text, path);
  } catch (const toml::parse_error& error) {
    return bad_config(
        path, "line " + std::to_string(error.source().begin.line) + ": " + std::string(error.description()));
  }
  Reader reader(path, command);
  if (const Status read = reader.table(table); !read) return read.error();
  return std::move(reader.values);
}

}  // namespace aisp::cli
