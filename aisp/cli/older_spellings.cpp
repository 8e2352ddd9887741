// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/older_spellings.h"

#include <optional>

namespace aisp::cli {
namespace {

/// The value of flag `name` where it stands at words[at], as `--name VALUE` or `--name=VALUE`; moves `at` to
/// its last word.
std::optional<std::string> value_at(const std::vector<std::string>& words, std::size_t& at,
                                    const std::string& name) {
  if (words[at].rfind(name + "=", 0) == 0) return words[at].substr(name.size() + 1);
  if (words[at] != name || at + 1 >= words.size()) return std::nullopt;
  return words[++at];
}

void add_targets(const std::string& list, std::vector<std::string>& words) {
  std::size_t at = 0;
  while (at <= list.size()) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    if (end > at) words.push_back(list.substr(at, end - at));
    at = end + 1;
  }
}

}  // namespace

Result<Modern> modernise(const Command& command, const std::vector<std::string>& words) {
  Modern modern;
  if (command.name != "list" && command.name != "run" && command.name != "verify") return Modern{words, {}};
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (words[at] == "--") {  // nothing behind it is a flag
      modern.words.insert(modern.words.end(), words.begin() + static_cast<std::ptrdiff_t>(at), words.end());
      break;
    }
    std::optional<std::string> targets = value_at(words, at, "--targets");
    if (!targets) targets = value_at(words, at, "-t");
    if (targets) {
      add_targets(*targets, modern.words);
    } else if (const auto profile = value_at(words, at, "--profile")) {
      if (*profile != "none" && *profile != "minimal") {
        return Error{ErrorCode::usage, "--profile '" + *profile + "' is not known",
                     "choose none or minimal: no profiler runs beside a measurement"};
      }
      if (*profile == "minimal")
        modern.notes.emplace_back(
            "--profile minimal is taken for none: no profiler runs beside a measurement");
    } else {
      modern.words.push_back(words[at]);
    }
  }
  return modern;
}

}  // namespace aisp::cli
