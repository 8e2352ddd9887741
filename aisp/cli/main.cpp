// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include "aisp/cli/command.h"
#include "aisp/cli/help.h"
#include "aisp/cli/json_document.h"
#include "aisp/cli/older_spellings.h"
#include "aisp/cli/parse.h"
#include "aisp/cli/settings.h"
#include "aisp/cli/terminal.h"
#include "aisp/core/nearest.h"
#include "aisp/core/registry.h"
#include "aisp/report/text.h"
#include "aisp/store/postgres_url.h"

namespace aisp::cli {
namespace {

bool asked_for(const std::vector<std::string>& words, std::string_view flag) {
  const auto end = std::ranges::find(words, "--");
  return std::find(words.begin(), end, flag) != end;
}

/// Before the flags are understood: an error about them must already come as JSON where that was asked for.
Arguments style_of(const std::vector<std::string>& words) {
  Arguments style;
  const char* variable = std::getenv("AISP_JSON");
  const bool by_variable =
      variable != nullptr && (std::string_view(variable) == "1" || std::string_view(variable) == "true");
  if (asked_for(words, "--json") || by_variable) style.values["json"] = {"true"};
  if (asked_for(words, "--quiet")) style.values["quiet"] = {"true"};
  return style;
}

std::string typed(int argc, char** argv) {
  std::string text = "aisp";
  for (int i = 1; i < argc; ++i) {
    const std::string word = store::without_passwords(argv[i]);  // it goes into the manifest
    const bool plain = !word.empty() && word.find_first_of(" *?'\"$\\") == std::string::npos;
    text += plain ? " " + word : " '" + word + "'";
  }
  return text;
}

int show_overview(const Arguments& style, int code) {
  return print(style.json() ? overview_json() : overview()) ? code : static_cast<int>(ErrorCode::io);
}

int dispatch(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  const Arguments style = style_of(words);
  move_common_flags(words);
  if (words.empty()) return show_overview(style, static_cast<int>(ErrorCode::usage));
  if (words[0] == "--help" || words[0] == "-h") return show_overview(style, 0);
  if (words[0] == "--version") words[0] = "version";
  // `bench` was a group of commands elsewhere: `bench run X`, `bench list-targets`, or `bench X`.
  if (words[0] == "bench" && words.size() > 1 && find_command(words[1]) != nullptr)
    words.erase(words.begin());
  words = without_group(words);
  const Command* command = find_command(words[0]);
  if (command == nullptr) return fail(style, unknown_command(words[0]));
  words.erase(words.begin());
  // A closed pipe is then an error of the write that meets it, and a report is written all the same. Workers
  // take the default again: they end with whoever reads from them.
  std::signal(SIGPIPE, command->hidden ? SIG_DFL : SIG_IGN);
  if (asked_for(words, "--help") || asked_for(words, "-h")) {
    return print(style.json() ? help_json(*command) : help_of(*command)) ? 0
                                                                         : static_cast<int>(ErrorCode::io);
  }
  const Result<Modern> modern = modernise(*command, words);
  if (!modern) return fail(style, modern.error());
  for (const std::string& note : modern->notes) warn(style, note);
  Result<Arguments> arguments = parse(*command, modern->words);
  if (!arguments) return fail(style, arguments.error());
  arguments->command_line = typed(argc, argv);
  if (const Status applied = apply_settings(*command, arguments->text("config"), *arguments); !applied) {
    return fail(style, applied.error());
  }
  if (const auto& problems = Registry::instance().problems(); !problems.empty()) {
    return fail(*arguments, {ErrorCode::internal, problems.front(), "correct the workload's registration"});
  }
  return command->run(*arguments);
}

}  // namespace

Error unknown_command(const std::string& name) {
  std::vector<std::string> known;
  for (const Command* command : commands()) {
    if (!command->hidden) known.push_back(command->name);
  }
  const auto near = nearest(name, known);
  return {ErrorCode::usage, "there is no command '" + name + "'",
          near.empty() ? "`aisp help` lists the commands" : "did you mean `aisp " + near.front() + "`?"};
}

int fail(const Arguments& arguments, const Error& failed) {
  if (failed.message.empty()) return static_cast<int>(failed.code);
  // Messages quote what was typed, and a store's URL may hold a password.
  const Error error{failed.code, store::without_passwords(failed.message),
                    store::without_passwords(failed.hint)};
  if (arguments.json()) {
    const std::string json = json_document("error",
                                           {{"error",
                                             {{"code", static_cast<int>(error.code)},
                                              {"message", printable_utf8(error.message)},
                                              {"hint", printable_utf8(error.hint)}}}},
                                           -1);
    std::fputs(json.c_str(), stderr);
  } else {
    // Messages quote what was typed and what workload code said: neither may steer the terminal.
    std::fprintf(stderr, "aisp: %s\n", report::visible(error.message).c_str());
    if (!error.hint.empty()) std::fprintf(stderr, "      %s\n", report::visible(error.hint).c_str());
  }
  return static_cast<int>(error.code);
}

void warn(const Arguments& arguments, const std::string& text) {
  if (arguments.has("quiet")) return;
  if (arguments.json()) {
    std::fputs(json_document("warning", {{"warning", printable_utf8(text)}}, -1).c_str(), stderr);
  } else {
    std::fprintf(stderr, "aisp: %s\n", report::visible(text).c_str());
  }
}

int main(int argc, char** argv) {
  // A file-size limit is then an error of the write that meets it, with a message.
  std::signal(SIGXFSZ, SIG_IGN);
  keep_standard_streams_taken();
  try {
    const int code = dispatch(argc, argv);
    if (!print_failed_untold()) return code;
    const int told = fail(style_of({argv + 1, argv + argc}), cannot_print());
    return code == 0 ? told : code;
  } catch (const std::bad_alloc&) {
    return fail(style_of({argv + 1, argv + argc}), {ErrorCode::environment, "out of memory",
                                                    "close other programs, or raise the limit (ulimit -v)"});
  } catch (const std::exception& error) {
    return fail(style_of({argv + 1, argv + argc}),
                {ErrorCode::internal, std::string("internal error: ") + error.what(),
                 "please report it with the command you typed"});
  }
}

}  // namespace aisp::cli
