// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <random>

#include <fmt/format.h>

#include "aisp/cli/catalogue.h"
#include "aisp/cli/commands.h"
#include "aisp/cli/results.h"
#include "aisp/cli/run_config.h"
#include "aisp/cli/terminal.h"
#include "aisp/cli/version.h"
#include "aisp/core/exit_code.h"
#include "aisp/device/cpu/peak.h"
#include "aisp/device/cpu/topology.h"
#include "aisp/harness/coordinator.h"
#include "aisp/harness/date.h"
#include "aisp/harness/interrupt.h"
#include "aisp/probes/manifest_facts.h"
#include "aisp/report/html.h"
#include "aisp/report/json.h"
#include "aisp/report/table.h"
#include "aisp/wire/json.h"

namespace aisp::cli {
namespace {

using Time = std::chrono::steady_clock;
using harness::PlannedCell;

std::string new_run_id() {
  std::string id = harness::utc_now();  // 2026-11-15T14:23:01Z
  std::erase_if(id, [](char c) { return c == '-' || c == ':' || c == 'Z'; });
  std::replace(id.begin(), id.end(), 'T', '-');
  return fmt::format("{}-{:04x}", id, std::random_device{}() & 0xffffu);
}

/// Ceilings of this machine: stored ones, or a quick measurement that is stored for the next run.
Ceilings ceilings_for(store::Store& results, const std::string& hardware, Progress& progress) {
  const auto stored = results.latest_ceilings(hardware);
  if (stored && stored->has_value()) return **stored;
  progress.note("measuring this machine's ceilings once (`aisp peak` repeats it)");
  Ceilings ceilings = device::measure_ceilings({}, [&](double done, const std::string& what) { progress.show(done, what); });
  ceilings.hardware = hardware;
  ceilings.date = harness::utc_now();
  if (const Status kept = results.ceilings_measured(ceilings); !kept) progress.note("aisp: " + kept.error().message);
  return ceilings;
}

int dry_run(const Arguments& arguments, const RunConfig& config, const std::vector<PlannedCell>& cells) {
  // A cell costs at most its sampling time, plus starting its workers.
  const double per_cell = config.cell_seconds + 1.5;
  double total = per_cell * static_cast<double>(cells.size());
  if (config.budget_seconds > 0) total = std::min(total, config.budget_seconds + per_cell);
  if (arguments.json()) {
    Json json{{"schema", 1}, {"most_seconds", total}, {"cells", Json::array()}};
    for (const PlannedCell& c : cells) json["cells"].push_back({{"workload", c.workload.id}, {"parameters", c.params.text()}});
    return print(json.dump(2) + "\n") ? 0 : static_cast<int>(ErrorCode::io);
  }
  std::string text;
  for (const PlannedCell& c : cells) text += fmt::format("{:<28} {}\n", c.workload.id, c.params.text());
  text += fmt::format("{} cells, at most {:.0f} s; cells that become precise earlier take less\n", cells.size(), total);
  return print(text) ? 0 : static_cast<int>(ErrorCode::io);
}

/// Cells of an interrupted run that are not finished yet.
void drop_finished(std::vector<PlannedCell>& cells, const RunRecord& earlier) {
  std::erase_if(cells, [&](const PlannedCell& cell) {
    return std::ranges::any_of(earlier.cells, [&](const CellResult& done) {
      return done.workload == cell.workload.id && done.parameters == cell.params.text() &&
             done.stopped != "interrupted" && !done.variants.empty();
    });
  });
}

class RunCommand {
 public:
  explicit RunCommand(const Arguments& arguments) : arguments_(arguments), progress_(arguments) {}
  int run();

 private:
  Status prepare();
  Status measure();
  void keep(const Status& stored);
  int finish();

  const Arguments& arguments_;
  Progress progress_;
  RunConfig config_;
  std::vector<PlannedCell> cells_;
  std::optional<store::Store> results_;
  RunRecord record_;
  Ceilings ceilings_;
  std::optional<Error> storage_problem_;
  bool resumed_ = false;
  bool out_of_budget_ = false;
};

Status RunCommand::prepare() {
  Result<store::Store> opened = open_store(arguments_, store::Access::read_write);
  if (!opened) return opened.error();
  results_.emplace(*std::move(opened));
  if (arguments_.has("resume")) {
    const std::string id = arguments_.positional.empty() ? "latest" : arguments_.positional.front();
    Result<RunRecord> earlier = results_->load(id);
    if (!earlier) return earlier.error();
    if (earlier->status == "finished") {
      return Error{ErrorCode::usage, "run " + earlier->id + " is finished: there is nothing to resume", ""};
    }
    record_ = *std::move(earlier);
    config_ = record_.manifest.config;
    resumed_ = true;
  } else {
    Result<RunConfig> config = run_config_of(arguments_);
    if (!config) return config.error();
    config_ = *std::move(config);
  }
  const auto catalogue = load_catalogue(config_.plugins);
  if (!catalogue) return catalogue.error();
  auto cells = harness::plan_cells(*catalogue, config_, device::topology().cores);
  if (!cells) return cells.error();
  cells_ = *std::move(cells);
  if (config_.variants.empty()) return Ok{};
  // A comparison needs its baseline, whatever was asked for.
  for (const PlannedCell& cell : cells_) {
    const std::string& baseline = cell.workload.variants.front().name;
    if (std::ranges::find(config_.variants, baseline) == config_.variants.end()) config_.variants.push_back(baseline);
  }
  return Ok{};
}

/// A result that could not be stored is in the journal; the run goes on and says so at the end.
void RunCommand::keep(const Status& stored) {
  if (!stored && !storage_problem_) storage_problem_ = stored.error();
}

Status RunCommand::measure() {
  const auto started = Time::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Time::now() - started).count(); };
  for (std::size_t i = 0; i < cells_.size() && harness::interrupted() == 0; ++i) {
    if (config_.budget_seconds > 0 && seconds() > config_.budget_seconds) {
      out_of_budget_ = true;
      progress_.note(fmt::format("time budget spent: {} of {} cells were not started", cells_.size() - i, cells_.size()));
      break;
    }
    const PlannedCell& cell = cells_[i];
    const std::string name = cell.workload.id + " " + cell.params.text();
    keep(results_->cell_started(record_.id, cell.workload.id, cell.params.text()));
    const harness::CellJob job{
        .cell = cell,
        .config = config_,
        .ceilings = ceilings_,
        .config_hash = record_.manifest.config_hash,
        .rehash = [this] { return hash_of(config_, arguments_.config_files); },
        .progress = [&](double share, const std::string& what) {
          progress_.show((static_cast<double>(i) + share) / static_cast<double>(cells_.size()), name + ": " + what);
        }};
    Result<CellResult> measured = harness::measure_cell(job);
    if (!measured) return measured.error();
    keep(results_->cell_finished(record_.id, *measured));
    record_.cells.push_back(*std::move(measured));
  }
  return Ok{};
}

int RunCommand::run() {
  if (const Status ready = prepare(); !ready) return fail(arguments_, ready.error());
  if (arguments_.has("dry-run")) return dry_run(arguments_, config_, cells_);
  harness::install_interrupt_handlers();
  const std::string hardware = device::hardware_key();
  if (resumed_) {
    if (hardware != record_.manifest.hardware) {
      return fail(arguments_, {ErrorCode::environment, "run " + record_.id + " was begun on " + record_.manifest.hardware +
                                   ", this is " + hardware, "start a new run here"});
    }
    std::erase_if(record_.cells, [](const CellResult& c) { return c.variants.empty() || c.stopped == "interrupted"; });
    drop_finished(cells_, record_);
  } else {
    record_ = {.id = new_run_id(), .started = harness::utc_now(), .status = "running"};
    record_.manifest = {.version = version(), .command = arguments_.command_line, .hardware = hardware,
                        .facts = probes::manifest_facts(), .config = config_,
                        .config_hash = hash_of(config_, arguments_.config_files)};
    const std::vector<Fact> topology = device::topology_facts();
    record_.manifest.facts.insert(record_.manifest.facts.end(), topology.begin(), topology.end());
    if (const Status begun = results_->run_started(record_); !begun) return fail(arguments_, begun.error());
  }
  ceilings_ = ceilings_for(*results_, hardware, progress_);
  if (const Status measured = measure(); !measured) {
    record_.status = "interrupted";
    keep(results_->run_finished(record_.id, record_.status, harness::utc_now()));
    progress_.clear();
    if (!record_.cells.empty()) finish();
    return fail(arguments_, measured.error());
  }
  return finish();
}

int RunCommand::finish() {
  const bool stopped = harness::interrupted() != 0;
  record_.status = stopped || out_of_budget_ ? "interrupted" : record_.status == "interrupted" ? "interrupted" : "finished";
  if (resumed_ && !stopped && !out_of_budget_) record_.status = "finished";
  record_.finished = harness::utc_now();
  keep(results_->run_finished(record_.id, record_.status, record_.finished));
  progress_.clear();
  bool written = true;
  if (arguments_.json()) {
    written = print(report::render_json(record_) + "\n");
  } else {
    written = print(report::render_table(record_, {.color = use_color(arguments_), .width = terminal_width(),
                                                   .ladder = arguments_.has("ladder")}));
    print("run " + record_.id + " is stored in " + results_->file().string() + "\n");
  }
  if (arguments_.has("report")) {
    const std::string path = arguments_.text("report");
    std::ofstream file(path);
    file << report::render_html(record_);
    file.flush();
    if (!file) return fail(arguments_, {ErrorCode::io, "cannot write " + path, "`aisp report` can write it elsewhere"});
    if (!arguments_.json()) print("report: " + path + "\n");
  }
  if (storage_problem_) return fail(arguments_, *storage_problem_);
  if (!written) return static_cast<int>(ErrorCode::io);
  if (stopped) {
    progress_.note(fmt::format("interrupted: {} finished cells are kept; `aisp run --resume {}` does the rest",
                               record_.cells.size(), record_.id));
    return 128 + harness::interrupted();
  }
  return exit_code_of(record_.cells);
}

int run(const Arguments& arguments) { return RunCommand(arguments).run(); }

std::vector<Flag> flags() {
  std::vector<Flag> all = run_flags();
  all.push_back({.name = "ladder", .kind = FlagKind::toggle, .help = "show every variant, not only the best"});
  all.push_back({.name = "dry-run", .kind = FlagKind::toggle, .help = "show the cells and what they cost at most"});
  all.push_back({.name = "resume", .kind = FlagKind::toggle, .help = "finish an interrupted run (its id, or the latest)"});
  all.push_back({.name = "report", .kind = FlagKind::text, .help = "also write an HTML report", .value = "FILE"});
  return all;
}

}  // namespace

const Command kRun{.name = "run",
                   .summary = "Measures workloads: baseline against every variant, verified and judged",
                   .positional = "WORKLOAD...",
                   .flags = flags(),
                   .details = "aisp run ch07\naisp run 'ch09/*' --param n=1024\naisp run all --suite quick --time-budget 120\n\n"
                              "exit codes: 0 valid, 1 a guard rejected a row, 4 unproven or unsuitable, 8 workload code "
                              "crashed, 9 inconclusive, 130 interrupted",
                   .run = run,
                   .aliases = {"bench"}};

}  // namespace aisp::cli
