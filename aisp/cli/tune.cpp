// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>

#include "aisp/cli/commands.h"
#include "aisp/cli/hardware.h"
#include "aisp/cli/results.h"
#include "aisp/cli/run_ceilings.h"
#include "aisp/cli/run_config.h"
#include "aisp/cli/tune_parts.h"
#include "aisp/cli/tunings.h"
#include "aisp/core/exit_code.h"
#include "aisp/harness/date.h"
#include "aisp/harness/interrupt.h"

namespace aisp::cli {
namespace {

using Time = std::chrono::steady_clock;

/// Of the time that is left, what the searches may take; the rest is for judging.
constexpr double kSearchShare = 0.5;

class Tuner {
 public:
  Tuner(const Arguments& arguments, const RunConfig& config, std::string hardware, std::size_t tasks)
      : arguments_(arguments),
        config_(config),
        hardware_(std::move(hardware)),
        keys_(config, hardware_),
        tasks_(tasks) {}

  TuneOutcome tune(const TuneTask& task);

 private:
  double seconds() const { return std::chrono::duration<double>(Time::now() - started_).count(); }
  Status search(const TuneTask& task, double until, TuneOutcome& outcome);
  Status keep(const TuneTask& task, TuneOutcome& outcome);

  const Arguments& arguments_;
  const RunConfig& config_;
  std::string hardware_;
  TuningKeys keys_;
  std::size_t tasks_;  ///< still to come, this one included
  Time::time_point started_ = Time::now();
};

TuneOutcome Tuner::tune(const TuneTask& task) {
  const auto& ladder = task.cell.workload.variants;
  const auto variant = std::ranges::find(ladder, task.variant, &harness::VariantInfo::name);
  TuneOutcome outcome{.workload = task.cell.workload.id,
                      .parameters = task.cell.params.text(),
                      .variant = task.variant,
                      .fallbacks = with_fallbacks({}, variant->tunables).text()};
  const double budget = config_.budget_seconds, now = seconds();
  const double share = budget > 0 ? (budget - now) / static_cast<double>(tasks_--) : 0;
  Status done = search(task, budget > 0 ? now + kSearchShare * share : 0, outcome);
  if (done && !outcome.search.winner.empty() && harness::interrupted() == 0) {
    const auto left = [&] { return budget > 0 ? now + share - seconds() : 0; };
    outcome.judged = judge_winner(arguments_, {.cell = task.cell,
                                               .variant = task.variant,
                                               .winner = outcome.search.winner,
                                               .config = config_,
                                               .held_out = task.held_out,
                                               .seconds_left = left});
    done = keep(task, outcome);
  }
  if (!done) outcome.error = done.error();
  return outcome;
}

/// The store is open only for the ceilings: the runs that judge open it for themselves.
Status Tuner::search(const TuneTask& task, double until, TuneOutcome& outcome) {
  Result<store::Store> results = open_store(arguments_, store::Access::read_write);
  if (!results) return results.error();
  Progress progress(arguments_);
  RunCeilings ceilings(*results, config_.device, hardware_, progress);
  ceilings.know();
  const auto stop = [&] { return harness::interrupted() != 0 || (until > 0 && seconds() > until); };
  auto found = search_with_harness(arguments_,
                                   {.cell = task.cell,
                                    .variant = task.variant,
                                    .config = config_,
                                    .ceilings = ceilings.now(),
                                    .stop = stop},
                                   progress);
  if (!found) return found.error();
  outcome.search = *std::move(found);
  return Ok{};
}

Status Tuner::keep(const TuneTask& task, TuneOutcome& outcome) {
  Result<store::Store> results = open_store(arguments_, store::Access::read_write);
  if (!results) return results.error();
  for (JudgedSize& size : outcome.judged) {
    if (!is_confirmed(size)) continue;
    Tuning tuning = keys_.of(task.cell, task.variant);
    tuning.parameters = size.parameters;
    tuning.chosen = outcome.search.winner;
    tuning.tuned_on = outcome.parameters;
    tuning.run = size.run;
    tuning.date = harness::utc_now();
    tuning.ratio = *size.line->ratio;
    if (const Status kept = results->tuned(tuning); !kept) return kept.error();
    size.kept = true;
  }
  return Ok{};
}

int run_tune(const Arguments& arguments) {
  if (arguments.has("list")) return list_tunings(arguments);
  if (arguments.has("forget")) return forget_tunings(arguments);
  const Result<RunConfig> config = run_config_of(arguments);
  if (!config) return fail(arguments, config.error());
  const auto tasks = tune_tasks(arguments, *config);
  if (!tasks) return fail(arguments, tasks.error());
  const Result<std::string> hardware = hardware_of(config->device);
  if (!hardware) return fail(arguments, hardware.error());
  harness::install_interrupt_handlers();
  Tuner tuner(arguments, *config, *hardware, tasks->size());
  std::vector<TuneOutcome> outcomes;
  int code = kExitValid;
  bool written = true;
  for (const TuneTask& task : *tasks) {
    if (harness::interrupted() != 0) break;
    outcomes.push_back(tuner.tune(task));
    code = worse_exit(code, tune_exit_code(outcomes.back()));
    if (!arguments.json()) written = print(tune_text(outcomes.back())) && written;
    if (outcomes.back().error) fail(arguments, *outcomes.back().error);
  }
  if (arguments.json()) written = print(tune_json(outcomes, *hardware));
  if (!written) return static_cast<int>(ErrorCode::io);
  const int signal = harness::interrupted();
  if (signal == 0) return code;
  warn(arguments, "interrupted: what is marked as kept is stored, the rest is as far as it came");
  return 128 + signal;
}

std::vector<Flag> tune_flags() {
  std::vector<Flag> all = run_flags();
  for (Flag& flag : all) {
    if (flag.name == "suite") flag.fallback = "quick";  // what is not tuned on is there to judge
    if (flag.name == "variant") flag.help = "only these variants";
    if (flag.name == "time-budget")
      flag.help = "for all: half of it for searching, then what is best is judged; 0 = none";
  }
  all.push_back({.name = "held-out",
                 .kind = FlagKind::list,
                 .help = "judge on these sizes, instead of listed ones and a drawn one",
                 .value = "NAME=VALUES"});
  all.push_back({.name = "list", .kind = FlagKind::toggle, .help = "show what is tuned on this device"});
  all.push_back({.name = "forget", .kind = FlagKind::toggle, .help = "forget what is tuned on this device"});
  return all;
}

}  // namespace

const Command kTune{
    .name = "tune",
    .summary = "Searches the parameters that variants declare, and judges what wins on other sizes",
    .positional = "[WORKLOAD...]",
    .flags = tune_flags(),
    .details =
        "aisp tune ch07/transpose --variant tiled\naisp tune ch09/sgemm --param n=1024 --time-budget 120\n"
        "aisp tune --list\naisp run ch07/transpose --tuned\n\n"
        "Every configuration is measured and verified as any variant is: all in short cells, the better half "
        "in longer ones. The winner is then compared with what the variant declares, on fresh inputs, at the "
        "tuned size and at others. It is kept for the sizes at which that confirms it, this device and this "
        "build.\n\n"
        "exit codes: as `aisp compare`; 1 also when the winner is slower at a size it was not tuned on",
    .run = run_tune};

}  // namespace aisp::cli
