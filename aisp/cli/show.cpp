// SPDX-License-Identifier: Apache-2.0
// The commands that render stored runs: show, report, export.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "aisp/cli/commands.h"
#include "aisp/cli/documents.h"
#include "aisp/cli/json_document.h"
#include "aisp/cli/output_file.h"
#include "aisp/cli/results.h"
#include "aisp/cli/terminal.h"
#include "aisp/report/csv.h"
#include "aisp/report/expectations.h"
#include "aisp/report/google_benchmark.h"
#include "aisp/report/html.h"
#include "aisp/report/json.h"
#include "aisp/report/junit.h"
#include "aisp/report/lessons.h"
#include "aisp/report/markdown.h"
#include "aisp/report/table.h"
#include "aisp/report/text.h"
#include "aisp/store/in_progress.h"
#include "aisp/wire/json.h"

namespace aisp::cli {
namespace {

Result<RunRecord> chosen_run(const Arguments& arguments) {
  Result<store::Store> results = open_store(arguments, store::Access::read_only);
  if (!results) return results.error();
  return results->load(arguments.positional.empty() ? "latest" : arguments.positional.front());
}

int list_runs(const Arguments& arguments) {
  Result<store::Store> results = open_store(arguments, store::Access::read_only);
  if (!results) return fail(arguments, results.error());
  const auto runs = results->list({.limit = static_cast<std::size_t>(arguments.number("limit"))});
  if (!runs) return fail(arguments, runs.error());
  std::string text;
  for (const store::RunSummary& run : *runs) {
    const auto known = [](const std::optional<int>& n) { return n ? std::to_string(*n) : "?"; };
    text += fmt::format("{:<22} {:<12} {:>4} cell{} {:>4} rejected  exit {:<3}  {}\n", run.id, run.status,
                        run.cells, run.cells == 1 ? " " : "s", known(run.outcome.rejected),
                        known(run.outcome.exit_code), report::visible(run.command));
  }
  const Status written = write_output("", arguments.json() ? json_document("runs", runs_json(*runs)) : text);
  return written ? 0 : fail(arguments, written.error());
}

int run_show(const Arguments& arguments) {
  if (arguments.has("runs")) return list_runs(arguments);
  const Result<RunRecord> run = chosen_run(arguments);
  if (!run) return fail(arguments, run.error());
  const std::string text = arguments.json() ? report::render_json(*run) + "\n"
                                            : report::render_table(*run, {.color = use_color(arguments),
                                                                          .width = terminal_width(),
                                                                          .ladder = !arguments.has("best")});
  const Status written = write_output("", text);
  return written ? 0 : fail(arguments, written.error());
}

/// Writes a rendering where --output says. With --json what goes to stdout is an object: the text itself, or
/// the name of the file it was written to.
int deliver(const Arguments& arguments, const char* kind, const std::string& path, const std::string& text,
            bool name_file) {
  const std::string format = arguments.text("format");
  const bool to_stdout = path.empty() || path == "-";
  const bool wrapped = arguments.json() && to_stdout && format != "json" && format != "expectations";
  const Status written = write_output(
      path, wrapped ? json_document(kind, {{"format", format}, {"text", printable_utf8(text)}}) : text);
  if (!written) return fail(arguments, written.error());
  if (to_stdout || !(name_file || arguments.json())) return 0;
  const std::string told = arguments.json()
                               ? json_document(kind, {{"format", format}, {"file", printable_utf8(path)}})
                               : path + "\n";
  return print(told) ? 0 : static_cast<int>(ErrorCode::io);
}

/// A page for each workload, in a folder.
int write_lessons(const Arguments& arguments, const RunRecord& run) {
  const std::string folder =
      arguments.text("output").empty() ? "lessons-" + run.id : arguments.text("output");
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed || !std::filesystem::is_directory(folder))
    return fail(arguments, {ErrorCode::io, "cannot make the folder " + folder,
                            "--format lessons writes a file for each workload: --output names their folder"});
  Json files = Json::array();
  for (const report::LessonPage& page : report::render_lessons(run)) {
    const std::string path = folder + "/" + page.file;
    if (const Status written = write_output(path, page.text); !written)
      return fail(arguments, written.error());
    files.push_back(printable_utf8(path));
  }
  const std::string told =
      arguments.json() ? json_document("report", {{"format", "lessons"}, {"files", files}})
                       : fmt::format("{} file{} in {}\n", files.size(), files.size() == 1 ? "" : "s", folder);
  return print(told) ? 0 : static_cast<int>(ErrorCode::io);
}

/// In the order they were named; the latest where none was.
Result<std::vector<report::ReportedRun>> runs_to_report(const Arguments& arguments) {
  Result<store::Store> results = open_store(arguments, store::Access::read_only);
  if (!results) return results.error();
  std::vector<std::string> names = arguments.positional;
  if (names.empty()) names.emplace_back("latest");
  std::vector<report::ReportedRun> runs;
  for (const std::string& name : names) {
    Result<RunRecord> run = results->load(name);
    if (!run) return run.error();
    for (const report::ReportedRun& other : runs)
      if (other.run.id == run->id)
        return Error{ErrorCode::usage, "run " + run->id + " is named twice", "name each run once"};
    const Result<store::RunOutcome> outcome = results->outcome(run->id);
    if (!outcome) return outcome.error();
    const bool ended = run->status != store::kRunning;
    runs.push_back({*std::move(run), ended ? outcome->exit_code : std::nullopt});
  }
  return runs;
}

/// Where --output names no file: after the run, or after the first of several.
std::string file_of_report(const std::vector<report::ReportedRun>& runs) {
  const std::string more = runs.size() > 1 ? fmt::format("-and-{}-more", runs.size() - 1) : "";
  return "aisp-" + runs.front().run.id + more + ".html";
}

int run_report(const Arguments& arguments) {
  const bool lessons = arguments.text("format") == "lessons";
  if (lessons && arguments.positional.size() > 1)
    return fail(arguments, {ErrorCode::usage, "--format lessons takes one run",
                            "call it for each, with a folder of its own (--output)"});
  const Result<std::vector<report::ReportedRun>> runs = runs_to_report(arguments);
  if (!runs) return fail(arguments, runs.error());
  if (lessons) return write_lessons(arguments, runs->front().run);
  const bool markdown = arguments.text("format") == "markdown";
  std::string path = arguments.text("output");
  if (path.empty() && !markdown) path = file_of_report(*runs);
  return deliver(arguments, "report", path,
                 markdown ? report::render_markdown(*runs) : report::render_html(*runs), true);
}

int run_export(const Arguments& arguments) {
  const Result<RunRecord> run = chosen_run(arguments);
  if (!run) return fail(arguments, run.error());
  const std::string format = arguments.text("format");
  std::string text;
  if (format == "json") text = report::render_json(*run) + "\n";
  if (format == "csv") text = report::render_csv(*run);
  if (format == "google-benchmark") text = report::render_google_benchmark(*run);
  if (format == "junit") text = report::render_junit(*run);
  if (format == "expectations") text = report::render_expectations(*run);
  return deliver(arguments, "export", arguments.text("output"), text, false);
}

const Flag kOutput{.name = "output",
                   .kind = FlagKind::text,
                   .help = "file to write; - is stdout",
                   .value = "FILE",
                   .alias = "-o"};

}  // namespace

Json runs_json(std::span<const store::RunSummary> runs) {
  Json list = Json::array();
  for (const store::RunSummary& run : runs)
    list.push_back({{"id", run.id},
                    {"started", run.started},
                    {"status", run.status},
                    {"command", run.command},
                    {"hardware", run.hardware},
                    {"cells", run.cells},
                    {"invalid", run.invalid},
                    {"rejected", to_json(run.outcome.rejected)},
                    {"exit_code", to_json(run.outcome.exit_code)}});
  return {{"runs", list}};
}

bool any_runs_still(std::span<const store::RunSummary> runs) {
  return std::ranges::any_of(runs,
                             [](const store::RunSummary& run) { return run.status == store::kRunning; });
}

const Command kShow{
    .name = "show",
    .summary = "Shows a stored run: every variant, its verdict and why",
    .positional = "[RUN]",
    .flags = {{.name = "best", .kind = FlagKind::toggle, .help = "one row per cell"},
              {.name = "runs", .kind = FlagKind::toggle, .help = "list the stored runs instead"},
              {.name = "limit",
               .kind = FlagKind::integer,
               .help = "how many runs to list",
               .value = "N",
               .fallback = "20",
               .low = 1,
               .high = 100000}},
    .details =
        "RUN is an id, the unique beginning of one, or \"latest\" (the default).\n\n"
        "--runs tells how many variants each run rejected, and the exit code of its cells, which is that\n"
        "of `aisp run`. \"?\" where the run was killed or an older program stored it.",
    .run = run_show};

const Command kReport{
    .name = "report",
    .summary = "Writes stored runs as one HTML file, as Markdown, or as a page for each workload",
    .positional = "[RUN...]",
    .flags = {{.name = "format",
               .kind = FlagKind::choice,
               .help = "what to write",
               .value = "FORMAT",
               .fallback = "html",
               .choices = {"html", "markdown", "lessons"}},
              kOutput},
    .details =
        "Several runs, of a suite that --launcher dealt out say, become one page: what each of them is, one\n"
        "table of all cells, and every cell. They are not mixed: each keeps its verdicts and its "
        "calibration.\n\n"
        "lessons takes one run and writes a folder (--output): for each workload a Markdown page with its\n"
        "ladder at every size, what the device counted for each rung, and a picture of\n"
        "the gain against the size.",
    .run = run_report};

const Command kExport{
    .name = "export",
    .summary = "Writes a stored run for other programs",
    .positional = "[RUN]",
    .flags = {{.name = "format",
               .kind = FlagKind::choice,
               .help = "what to write",
               .value = "FORMAT",
               .fallback = "json",
               .choices = {"json", "csv", "google-benchmark", "junit", "expectations"}},
              kOutput},
    .details =
        "csv holds every raw sample, a line for each timed window: run, workload, parameters and variant "
        "say\n"
        "of what, attempt and round in which process and which round of it. Every round runs all variants\n"
        "twice: pass is 0 on the way out, in random order, and 1 on the way back, in the opposite order.\n"
        "So many calls were timed together, ns is the time of one, discarded why its round does not count,\n"
        "and items_ns the latencies of its requests or operations, separated by spaces, where the workload\n"
        "has such.",
    .run = run_export};

}  // namespace aisp::cli
