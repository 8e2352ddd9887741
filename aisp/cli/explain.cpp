// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/explain.h"

#include "aisp/cli/catalogue.h"
#include "aisp/cli/commands.h"
#include "aisp/cli/demo.h"
#include "aisp/cli/documents.h"
#include "aisp/cli/json_document.h"
#include "aisp/cli/terminal.h"
#include "aisp/core/nearest.h"
#include "aisp/guards/judge.h"

namespace aisp::cli {
namespace {

Json json_of(const Guard& guard) {
  Json json{{"guard", guard.id},
            {"question", guard.question},
            {"required_from", name_of(guard.required_from)},
            {"issues", Json::array()}};
  for (const int number : guard.issues) {
    if (number != 0) json["issues"].push_back(number);
  }
  return json;
}

Json json_of(const guards::Issue& issue) {
  Json json{{"issue", issue.number},
            {"title", issue.title},
            {"category", issue.category},
            {"meaning", issue.meaning},
            {"incident", issue.incident},
            {"defence", issue.defence},
            {"covered", guards::name_of(issue.cover)},
            {"guards", Json::array()}};
  for (const std::string_view id : issue.guards) {
    if (!id.empty()) json["guards"].push_back(id);
  }
  return json;
}

/// The one that was explained, as fields; all of them where none was asked for. `text` is what explain()
/// gave: it belongs to exactly one of them.
Json json_of(const std::string& asked, const std::string& text) {
  Json json{{"guards", Json::array()}, {"issues", Json::array()}};
  for (const Guard& guard : guards::all()) {
    if (asked.empty() || guards::explain(guard) == text) json["guards"].push_back(json_of(guard));
  }
  for (const guards::Issue& issue : guards::catalogue()) {
    if (asked.empty() || guards::explain(issue) == text) json["issues"].push_back(json_of(issue));
  }
  if (!asked.empty()) json["text"] = text;
  return json;
}

Result<std::string> explained(const std::string& asked) {
  if (const std::optional<std::string> text = guards::explain(asked)) return *text;
  std::string hint = "`aisp explain` lists the issues and the guards";
  const auto matching = guards::titles_matching(asked);
  const auto near = nearest(asked, guards::names());
  if (!matching.empty()) {
    hint = "did you mean '" + matching.front() + "'?";
  } else if (!near.empty()) {
    hint = "did you mean '" + near.front() + "'?";
  }
  return Error{ErrorCode::usage, "no validity issue or guard is called '" + asked + "'", hint};
}

int run_explain(const Arguments& arguments) {
  std::string asked;
  for (const std::string& word : arguments.positional) asked += (asked.empty() ? "" : " ") + word;
  if (arguments.has("demo")) {
    if (const Guard* guard = guards::find(asked)) return demonstrate(arguments, *guard);
    return fail(arguments, {ErrorCode::usage, "--demo shows a guard at work, and '" + asked + "' is none",
                            "`aisp explain` lists the guards"});
  }
  const Result<std::string> text = asked.empty() ? guards::overview() : explained(asked);
  if (!text) return fail(arguments, text.error());
  return print(arguments.json() ? json_document("explain", json_of(asked, *text)) : *text)
             ? 0
             : static_cast<int>(ErrorCode::io);
}

}  // namespace

Json guards_json() { return json_of("", guards::overview()); }

Result<Json> guard_json(const std::string& asked) {
  const Result<std::string> text = explained(asked);
  if (!text) return text.error();
  return json_of(asked, *text);
}

const Command kExplain{
    .name = "explain",
    .summary = "Explains a validity issue or a guard: what it is, what happened, how it is caught",
    .positional = "[ISSUE|GUARD...]",
    .flags = {{.name = "demo",
               .kind = FlagKind::toggle,
               .help = "run an attack on the guard and show it caught"},
              plugin_flag()},
    .details =
        "aisp explain 14\naisp explain output_written\naisp explain stale cache\n\n"
        "--demo runs workloads with the tag attack:GUARD for a few seconds and stores nothing. Name a plugin "
        "that\n"
        "has some with --plugin; tests/plugins of the source tree has one for most guards.",
    .run = run_explain};

}  // namespace aisp::cli
