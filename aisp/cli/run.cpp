// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "aisp/cli/commands.h"
#include "aisp/cli/dry_run.h"
#include "aisp/cli/launch.h"
#include "aisp/cli/launch_flags.h"
#include "aisp/cli/measuring.h"
#include "aisp/cli/output_file.h"
#include "aisp/cli/results.h"
#include "aisp/cli/resume.h"
#include "aisp/cli/run_combinations.h"
#include "aisp/cli/run_config.h"
#include "aisp/cli/tunings.h"
#include "aisp/harness/interrupt.h"
#include "aisp/report/html.h"
#include "aisp/report/json.h"
#include "aisp/report/table.h"

namespace aisp::cli {
namespace {

using harness::PlannedCell;

/// What a run that ended early leaves, and how many of its cells are still to be measured.
std::string kept_text(const RunRecord& run, std::size_t planned, const char* why) {
  const auto kept = static_cast<std::size_t>(std::ranges::count_if(run.cells, complete));
  return fmt::format("{}: {} finished cell{} kept; `aisp run --resume {}` does the other {} of {}", why, kept,
                     kept == 1 ? " is" : "s are", run.id, planned - kept, planned);
}

int run_run(const Arguments& arguments) {
  if (const Status fine = check_launch_flags(arguments); !fine) return fail(arguments, fine.error());
  // Noticed now, not after an hour of measuring.
  if (arguments.has("report")) {
    if (const Status fine = check_output(arguments.text("report"), "--report"); !fine)
      return fail(arguments, fine.error());
  }
  RunConfig config;
  std::vector<PlannedCell> cells;
  if (arguments.has("resume")) {
    if (const Status fine = check_resume(arguments); !fine) return fail(arguments, fine.error());
  } else {
    Result<RunConfig> chosen = run_config_of(arguments);
    if (!chosen) return fail(arguments, chosen.error());
    config = *std::move(chosen);
    if (arguments.has("combinations")) {
      if (const Status asked = ask_for_combinations(config); !asked) return fail(arguments, asked.error());
    }
    auto planned = cells_of(config);
    if (!planned) return fail(arguments, planned.error());
    if (arguments.has("tuned")) {
      if (const Status used = use_tunings(arguments, config, *planned); !used)
        return fail(arguments, used.error());
      planned = cells_of(config);
      if (!planned) return fail(arguments, planned.error());
    }
    cells = *std::move(planned);
    if (is_launched(arguments)) return launch(arguments, config, cells);
    if (arguments.has("dry-run")) return dry_run(arguments, config, cells);
  }
  const Purpose purpose = arguments.has("resume") ? Purpose::what_is_there : Purpose::results;
  Result<store::Store> results = open_store(arguments, store::Access::read_write, purpose);
  if (!results) return fail(arguments, results.error());
  harness::install_interrupt_handlers();
  Progress progress(arguments);
  Measuring measuring(arguments, *results, progress);
  Result<RunRecord> record =
      arguments.has("resume") ? resume(arguments, *results, cells) : measuring.begin(config);
  if (!record) return fail(arguments, record.error());
  if (arguments.has("dry-run")) return dry_run(arguments, record->manifest.config, cells);
  if (arguments.has("resume")) {
    if (const Status held = measuring.hold(record->id); !held) return fail(arguments, held.error());
  }
  const std::size_t planned = record->cells.size() + cells.size();
  const Status measured = measuring.measure(*record, cells);
  measuring.end(*record);

  bool written = true;
  if (arguments.json()) {
    written = print(report::render_json(*record) + "\n");
  } else if (measured || !record->cells.empty()) {
    written = print(report::render_table(
        *record,
        {.color = use_color(arguments), .width = terminal_width(), .ladder = arguments.has("ladder")}));
    if (!measuring.storage_problem())
      written = print("run " + record->id + " is stored in " + results->file().string() + "\n") && written;
  }
  if (arguments.has("report")) {
    if (const Status wrote = write_output(arguments.text("report"), report::render_html(*record), "--report");
        !wrote)
      return fail(arguments, wrote.error());
    if (!arguments.json()) print("report: " + arguments.text("report") + "\n");
  }
  // A cell that was refused does not hide what became of the others.
  if (!measured) fail(arguments, measured.error());
  if (measuring.storage_problem()) return fail(arguments, *measuring.storage_problem());
  if (!written) {
    return fail(arguments,
                cannot_print("run " + record->id + " is stored: `aisp show " + record->id + "` shows it"));
  }
  const int signal = harness::interrupted();
  if (signal != 0 || measuring.out_of_time()) {
    progress.note(kept_text(*record, planned, signal != 0 ? "interrupted" : "out of time"));
  }
  return measuring.exit_code(*record);
}

std::vector<Flag> run_command_flags() {
  std::vector<Flag> all = run_flags();
  all.push_back(
      {.name = "ladder", .kind = FlagKind::toggle, .help = "show every variant, not only the best"});
  all.push_back({.name = "combinations",
                 .kind = FlagKind::toggle,
                 .help = "measure every subset of the techniques that combine, for `aisp stacking`"});
  all.push_back({.name = "tuned",
                 .kind = FlagKind::toggle,
                 .help = "measure the values that `aisp tune` found beside those declared"});
  all.push_back({.name = "dry-run",
                 .kind = FlagKind::toggle,
                 .help = "show the cells, what they need and about how long they take"});
  all.push_back({.name = "resume",
                 .kind = FlagKind::toggle,
                 .help = "finish an interrupted run (its id, or the latest that was interrupted)"});
  all.push_back(
      {.name = "report", .kind = FlagKind::text, .help = "also write an HTML report", .value = "FILE"});
  all.push_back(events_flag());
  for (Flag& flag : launch_flags()) all.push_back(std::move(flag));
  return all;
}

}  // namespace

const Command kRun{
    .name = "run",
    .summary = "Measures workloads: baseline against every variant, verified and judged",
    .positional = "WORKLOAD...",
    .flags = run_command_flags(),
    .details =
        "aisp run ch07\naisp run 'ch09/*' --param n=1024\naisp run all --suite quick --time-budget 120\n"
        "aisp run all --launcher slurm --tasks 8 --shared /scratch/aisp --wait\n\n"
        "A resumed run keeps the configuration it was begun with; its time budget counts again in full.\n\n"
        "exit codes: 0 valid, 1 a guard rejected a row, 4 unproven, unsuitable or out of time, 8 workload "
        "code crashed, 9 inconclusive, 130 interrupted, 143 by SIGTERM",
    .run = run_run,
    .aliases = {"bench"}};

}  // namespace aisp::cli
