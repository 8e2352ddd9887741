// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/history.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>

#include "aisp/analysis/history.h"
#include "aisp/cli/commands.h"
#include "aisp/cli/confirm_changes.h"
#include "aisp/cli/history_json.h"
#include "aisp/cli/history_query.h"
#include "aisp/cli/history_unmatched.h"
#include "aisp/cli/json_document.h"
#include "aisp/cli/output_file.h"
#include "aisp/cli/results.h"
#include "aisp/cli/run_config.h"
#include "aisp/cli/terminal.h"
#include "aisp/core/exit_code.h"
#include "aisp/report/history_rows.h"
#include "aisp/report/text.h"

namespace aisp::cli {
namespace {

/// For GitHub: behind what other steps wrote there.
Status append(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::app | std::ios::binary);
  file << text << std::flush;
  if (file) return Ok{};
  return Error{ErrorCode::io, "cannot write " + path, "GITHUB_STEP_SUMMARY names that file"};
}

/// `unmatched`: said where there is no series at all.
Status deliver(const Arguments& arguments, const LookedBack& looked, const HistoryQuery& query,
               const analysis::HistoryOptions& options, const std::string& unmatched) {
  const auto& examined = looked.examined;
  if (arguments.has("junit")) {
    const Status written = write_output(arguments.text("junit"),
                                        report::render_history_junit(examined, query.hardware), "--junit");
    if (!written) return written;
  }
  if (arguments.has("svg")) {
    const Status written = write_output(arguments.text("svg"),
                                        report::render_history_svg(examined, arguments.has("all")), "--svg");
    if (!written) return written;
  }
  const char* summary = std::getenv("GITHUB_STEP_SUMMARY");
  const bool to_file = summary != nullptr && *summary != '\0';
  const std::string markdown =
      arguments.has("github") ? report::render_history_markdown(examined, query.hardware) : "";
  if (to_file && arguments.has("github")) {
    if (const Status added = append(summary, markdown); !added) return added;
  }
  std::string text = report::visible(query.hardware) + "\n" +
                     report::render_history(examined, arguments.has("all"), use_color(arguments));
  if (looked.left_out.not_valid > 0)
    text += std::to_string(looked.left_out.not_valid) + " results that are not valid are left out.\n";
  if (looked.left_out.not_listed > 0)
    text += std::to_string(looked.left_out.not_listed) +
            " results of commits that --commits does not name are left out.\n";
  text += unmatched;
  if (arguments.has("github") && !to_file) text = markdown;
  if (arguments.json()) {
    Json json = history_json(looked, query, options);
    if (arguments.has("github") && !to_file) json["markdown"] = markdown;
    if (!unmatched.empty()) json["unmatched"] = printable_utf8(unmatched);
    text = json_document("history", json);
  }
  if (print(text)) return Ok{};
  return Error{ErrorCode::io, "", ""};
}

Result<LookedBack> look_at_store(const Arguments& arguments, const HistoryQuery& query,
                                 const analysis::HistoryOptions& options) {
  Result<store::Store> results = open_store(arguments, store::Access::read_only);
  if (!results) return results.error();
  RunBeginnings beginnings;
  return look_back(&*results, arguments, query, options, beginnings);
}

int run_history(const Arguments& arguments) {
  if (arguments.has("changed") && !arguments.json())
    return fail(arguments, {ErrorCode::usage, "--changed is for --json",
                            "the table shows only what changed anyway; --all shows the rest"});
  for (const char* flag : {"junit", "svg"}) {
    if (!arguments.has(flag)) continue;
    const Status fine = check_output(arguments.text(flag), std::string("--") + flag);
    if (!fine) return fail(arguments, fine.error());
  }
  const Result<HistoryQuery> query = history_query(arguments);
  if (!query) return fail(arguments, query.error());
  const analysis::HistoryOptions options{.equivalence = arguments.number("equivalence")};
  Result<LookedBack> looked = look_at_store(arguments, *query, options);
  if (!looked) return fail(arguments, looked.error());
  int code = 0;
  if (arguments.has("builds")) {
    const Result<int> confirmed = confirm_changes(arguments, looked->examined, arguments.list("builds"));
    if (!confirmed) return fail(arguments, confirmed.error());
    code = *confirmed;
    looked = look_at_store(arguments, *query, options);
    if (!looked) return fail(arguments, looked.error());
  }
  // Results that were left out for a reason did match.
  const bool none = looked->series == 0 && looked->left_out.not_valid + looked->left_out.not_listed == 0;
  const Result<std::string> unmatched = none ? unmatched_text(arguments, *query) : Result(std::string());
  if (!unmatched) return fail(arguments, unmatched.error());
  if (const Status delivered = deliver(arguments, *looked, *query, options, *unmatched); !delivered)
    return fail(arguments, delivered.error());
  if (code >= 128) return code;
  if (none && is_narrowed(arguments, *query)) return worse_exit(code, kExitInconclusive);
  const report::HistoryCounts counts = report::count_changes(looked->examined);
  if (counts.confirmed > 0) return worse_exit(code, kExitInvalid);
  return worse_exit(code, counts.unsettled > 0 ? kExitInconclusive : kExitValid);
}

/// Those of `aisp run` that say how to measure; what to measure follows from the history.
std::vector<Flag> history_flags() {
  std::vector<Flag> all{
      {.name = "hardware",
       .kind = FlagKind::text,
       .help = "a part of the hardware's name, such as h200; default: this machine",
       .value = "NAME"},
      {.name = "since", .kind = FlagKind::text, .help = "only results from then on", .value = "DATE"},
      {.name = "commits",
       .kind = FlagKind::text,
       .help = "order by commit, oldest first: a file with one id a line, or -",
       .value = "FILE"},
      {.name = "builds",
       .kind = FlagKind::list,
       .help = "measure suspected regressions now, with these programs, plugins or folders of them",
       .value = "PATH"},
      {.name = "all", .kind = FlagKind::toggle, .help = "show series without a change and small changes too"},
      {.name = "changed", .kind = FlagKind::toggle, .help = "with --json: leave out series without a change"},
      {.name = "unproven", .kind = FlagKind::toggle, .help = "take unproven results, too"},
      {.name = "junit",
       .kind = FlagKind::text,
       .help = "write a test case for each series; regressions fail",
       .value = "FILE"},
      {.name = "github",
       .kind = FlagKind::toggle,
       .help = "add Markdown to the file GITHUB_STEP_SUMMARY names, or print it"},
      {.name = "svg", .kind = FlagKind::text, .help = "draw the series that changed", .value = "FILE"}};
  constexpr std::array kOthers{"param", "suite", "cache"};
  for (Flag& flag : run_flags()) {
    if (std::ranges::find(kOthers, flag.name) != kOthers.end()) continue;
    if (flag.name == "variant") flag.help = "only these variants";
    if (flag.name == "device") flag.help = "whose results";
    if (flag.name == "equivalence") flag.help = "changes below this are small and not suspected";
    all.push_back(std::move(flag));
  }
  return all;
}

}  // namespace

const Command kHistory{
    .name = "history",
    .summary = "Looks for changes over time; two builds measured side by side confirm them",
    .positional = "[WORKLOAD...]",
    .flags = history_flags(),
    .details =
        "A change is suspected where the level of a series of stored results changed "
        "(docs/design/history.md).\n"
        "It is confirmed or refuted by a run that measured a build from before against one from behind it:\n"
        "one that `aisp compare` stored, or one that --builds asks for now. The same build on both\n"
        "sides is the machine's doing and never an alert, nor is a regression that was made good again.\n\n"
        "aisp history ch07 --since 2026-11-01\n"
        "aisp history --builds builds/ --junit history.xml --github\n"
        "git rev-list --reverse HEAD | aisp history --commits -\n\n"
        "exit codes: 0 no confirmed regression, 1 a confirmed one, 9 a paired run could not tell, or "
        "nothing\n"
        "matches what was asked for; 6 there is no store",
    .run = run_history};

}  // namespace aisp::cli
