// SPDX-License-Identifier: Apache-2.0
#include "aisp/server/api_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace aisp::server {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kPhrases{{
    {"`aisp show --runs --json`", "/api/v1/runs"},
    {"`aisp show --runs`", "/api/v1/runs"},
    {"`aisp list`", "/api/v1/benchmarks"},
    {"with --json: ", ""},  // every answer is
}};

bool is_of_flag(char c) { return std::islower(static_cast<unsigned char>(c)) != 0 || c == '-'; }

/// "n=4096", "cuda:0", "2026-11-15", "cpu": what stands behind a flag as its value, and not the next word.
bool is_value(std::string_view word) {
  const auto tells = [](char c) { return c == '=' || std::isdigit(static_cast<unsigned char>(c)) != 0; };
  return word == "cpu" || std::ranges::any_of(word, tells);
}

/// The flag that `rest` begins with, as a parameter; `used`: so many characters of it.
std::string parameter(std::string_view rest, std::size_t& used) {
  const auto name_end = std::find_if_not(rest.begin() + 2, rest.end(), is_of_flag);
  const std::string name(rest.begin() + 2, name_end);
  used = 2 + name.size();
  if (name == "store") return "`aisp serve --store`";  // a server's own, of no request
  const std::string_view behind = rest.substr(used);
  if (behind.starts_with('=') || behind.starts_with(':') || behind.starts_with(" '")) return name;
  if (behind.starts_with(' ')) {
    const std::string_view word = behind.substr(1, behind.find_first_of(" ;,)", 1) - 1);
    if (is_value(word)) {
      used += 1 + word.size();
      return name + "=" + std::string(word);
    }
  }
  return "'" + name + "'";
}

}  // namespace

std::string in_api_words(std::string_view text) {
  std::string said;
  bool typed = false;  // between backquotes
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    const auto phrase =
        std::ranges::find_if(kPhrases, [&](const auto& p) { return rest.starts_with(p.first); });
    const bool begins_word = at == 0 || text[at - 1] == ' ' || text[at - 1] == '(';
    if (!typed && phrase != kPhrases.end()) {
      said += phrase->second;
      at += phrase->first.size();
    } else if (!typed && begins_word && rest.starts_with("--") && rest.size() > 2 && is_of_flag(rest[2])) {
      std::size_t used = 0;
      said += parameter(rest, used);
      at += used;
    } else {
      typed = typed != (rest.front() == '`');
      said += rest.front();
      ++at;
    }
  }
  return said;
}

}  // namespace aisp::server
