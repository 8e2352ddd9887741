// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include "aisp/cli/commands.h"
#include "aisp/cli/measuring.h"
#include "aisp/cli/results.h"
#include "aisp/cli/run_config.h"
#include "aisp/core/exit_code.h"
#include "aisp/device/cpu/topology.h"
#include "aisp/harness/interrupt.h"
#include "aisp/report/html.h"
#include "aisp/report/json.h"
#include "aisp/report/table.h"
#include "aisp/wire/json.h"

namespace aisp::cli {
namespace {

using harness::PlannedCell;

int dry_run(const Arguments& arguments, const RunConfig& config, const std::vector<PlannedCell>& cells) {
  // A cell costs at most its sampling time, plus starting its workers.
  const double per_cell = config.cell_seconds + 1.5;
  double total = per_cell * static_cast<double>(cells.size());
  if (config.budget_seconds > 0) total = std::min(total, config.budget_seconds + per_cell);
  if (arguments.json()) {
    Json json{{"schema", 1}, {"most_seconds", total}, {"cells", Json::array()}};
    for (const PlannedCell& c : cells)
      json["cells"].push_back({{"workload", c.workload.id}, {"parameters", c.params.text()}});
    return print(json.dump(2) + "\n") ? 0 : static_cast<int>(ErrorCode::io);
  }
  std::string text;
  for (const PlannedCell& c : cells) text += fmt::format("{:<28} {}\n", c.workload.id, c.params.text());
  text += fmt::format("{} cells, at most {:.0f} s; cells that become precise earlier take less\n",
                      cells.size(), total);
  return print(text) ? 0 : static_cast<int>(ErrorCode::io);
}

bool complete(const CellResult& cell) { return cell.stopped != "interrupted" && !cell.variants.empty(); }

/// Takes up an interrupted run: its finished cells stay, the others are measured.
Result<RunRecord> resume(const Arguments& arguments, store::Store& results, std::vector<PlannedCell>& cells) {
  Result<RunRecord> earlier =
      results.load(arguments.positional.empty() ? "latest" : arguments.positional.front());
  if (!earlier) return earlier.error();
  if (earlier->status == "finished") {
    return Error{ErrorCode::usage, "run " + earlier->id + " is finished: there is nothing to resume", ""};
  }
  if (const std::string hardware = device::hardware_key(); hardware != earlier->manifest.hardware) {
    return Error{
        ErrorCode::environment,
        "run " + earlier->id + " was begun on " + earlier->manifest.hardware + ", this is " + hardware,
        "start a new run here"};
  }
  auto planned = cells_of(earlier->manifest.config);
  if (!planned) return planned.error();
  cells = *std::move(planned);
  std::erase_if(earlier->cells, [](const CellResult& cell) { return !complete(cell); });
  std::erase_if(cells, [&](const PlannedCell& cell) {
    return std::ranges::any_of(earlier->cells, [&](const CellResult& done) {
      return done.workload == cell.workload.id && done.parameters == cell.params.text();
    });
  });
  return earlier;
}

Status write_report(const std::string& path, const RunRecord& record) {
  std::ofstream file(path);
  file << report::render_html(record);
  file.flush();
  if (!file) return Error{ErrorCode::io, "cannot write " + path, "`aisp report` can write it elsewhere"};
  return Ok{};
}

int run(const Arguments& arguments) {
  RunConfig config;
  std::vector<PlannedCell> cells;
  if (!arguments.has("resume")) {
    Result<RunConfig> chosen = run_config_of(arguments);
    if (!chosen) return fail(arguments, chosen.error());
    config = *std::move(chosen);
    auto planned = cells_of(config);
    if (!planned) return fail(arguments, planned.error());
    cells = *std::move(planned);
    if (arguments.has("dry-run")) return dry_run(arguments, config, cells);
  }
  Result<store::Store> results = open_store(arguments, store::Access::read_write);
  if (!results) return fail(arguments, results.error());
  harness::install_interrupt_handlers();
  Progress progress(arguments);
  Measuring measuring(arguments, *results, progress);
  Result<RunRecord> record =
      arguments.has("resume") ? resume(arguments, *results, cells) : measuring.begin(config);
  if (!record) return fail(arguments, record.error());
  if (arguments.has("dry-run")) return dry_run(arguments, record->manifest.config, cells);
  const Status measured = measuring.measure(*record, cells);
  measuring.end(*record);

  bool written = true;
  if (arguments.json()) {
    written = print(report::render_json(*record) + "\n");
  } else if (measured || !record->cells.empty()) {
    written = print(report::render_table(
        *record,
        {.color = use_color(arguments), .width = terminal_width(), .ladder = arguments.has("ladder")}));
    written = print("run " + record->id + " is stored in " + results->file().string() + "\n") && written;
  }
  if (arguments.has("report")) {
    if (const Status wrote = write_report(arguments.text("report"), *record); !wrote)
      return fail(arguments, wrote.error());
    if (!arguments.json()) print("report: " + arguments.text("report") + "\n");
  }
  if (!measured) return fail(arguments, measured.error());
  if (measuring.storage_problem()) return fail(arguments, *measuring.storage_problem());
  if (!written) return static_cast<int>(ErrorCode::io);
  if (const int signal = harness::interrupted(); signal != 0) {
    progress.note(fmt::format("interrupted: {} finished cells are kept; `aisp run --resume {}` does the rest",
                              std::ranges::count_if(record->cells, complete), record->id));
    return 128 + signal;
  }
  return exit_code_of(record->cells);
}

std::vector<Flag> flags() {
  std::vector<Flag> all = run_flags();
  all.push_back(
      {.name = "ladder", .kind = FlagKind::toggle, .help = "show every variant, not only the best"});
  all.push_back(
      {.name = "dry-run", .kind = FlagKind::toggle, .help = "show the cells and what they cost at most"});
  all.push_back({.name = "resume",
                 .kind = FlagKind::toggle,
                 .help = "finish an interrupted run (its id, or the latest)"});
  all.push_back(
      {.name = "report", .kind = FlagKind::text, .help = "also write an HTML report", .value = "FILE"});
  return all;
}

}  // namespace

const Command kRun{
    .name = "run",
    .summary = "Measures workloads: baseline against every variant, verified and judged",
    .positional = "WORKLOAD...",
    .flags = flags(),
    .details =
        "aisp run ch07\naisp run 'ch09/*' --param n=1024\naisp run all --suite quick --time-budget 120\n\n"
        "exit codes: 0 valid, 1 a guard rejected a row, 4 unproven or unsuitable, 8 workload code "
        "crashed, 9 inconclusive, 130 interrupted",
    .run = run,
    .aliases = {"bench"}};

}  // namespace aisp::cli
