// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "aisp/cli/catalogue.h"
#include "aisp/cli/commands.h"
#include "aisp/cli/json_document.h"
#include "aisp/cli/measuring.h"
#include "aisp/cli/run_config.h"
#include "aisp/cli/terminal.h"
#include "aisp/core/combinations.h"
#include "aisp/core/exit_code.h"
#include "aisp/harness/cell_attempts.h"
#include "aisp/harness/free_memory.h"
#include "aisp/harness/interrupt.h"
#include "aisp/harness/scratch.h"
#include "aisp/harness/worker_process.h"
#include "aisp/report/text.h"

namespace aisp::cli {
namespace {

using harness::Verification;

struct Outcomes {
  std::vector<Verification> verified;
  std::vector<std::string> failures;  ///< workers that ended
  std::vector<Error> refused;         ///< cells that cannot be verified here
};

/// "4 variants, 7 combinations": what is verified beside the ladder that `aisp list` shows is counted apart.
std::string counted(const Verification& v) {
  std::size_t combinations = 0, configurations = 0;
  for (const auto& each : v.variants) {
    if (each.variant.find('@') != std::string::npos) {
      ++configurations;
    } else if (is_combination(each.variant)) {
      ++combinations;
    }
  }
  const auto text = [](std::size_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  std::string all = text(v.variants.size() - combinations - configurations, "variant");
  if (combinations > 0) all += ", " + text(combinations, "combination");
  if (configurations > 0) all += ", " + text(configurations, "configuration");
  return all;
}

std::string describe(const Verification& v) {
  const auto rejected = std::ranges::count_if(v.mutants, [](const auto& m) { return m.rejected; });
  const auto applied = std::ranges::count_if(v.mutants, [](const auto& m) { return m.skipped.empty(); });
  std::string text =
      fmt::format("{:<4} {:<28} {:<34} {}, {} of {} mutants rejected\n",
                  v.passed()    ? "ok"
                  : v.skipped() ? "skip"
                                : "BAD",
                  report::visible(v.workload), report::visible(v.parameters), counted(v), rejected, applied);
  for (const auto& variant : v.variants) {
    if (!variant.problem.empty())
      text += fmt::format("     {} is wrong: {}\n", report::visible(variant.variant),
                          report::visible(variant.problem));
    if (!variant.skipped.empty())
      text += fmt::format("     {} was not run: {}\n", report::visible(variant.variant),
                          report::visible(variant.skipped));
  }
  for (const auto& mutant : v.mutants) {
    if (mutant.skipped.empty() && !mutant.rejected) {
      text += fmt::format("     the checker accepts a wrong answer: {} in output {}\n", mutant.mutant,
                          report::visible(mutant.output));
    }
  }
  return text;
}

void verify_cell(const harness::PlannedCell& cell, const RunConfig& config, Outcomes& outcomes) {
  const std::string name = cell.workload.id + " " + cell.params.text();
  const auto refuse = [&](Error error) {
    error.message = name + ": " + error.message;
    outcomes.refused.push_back(std::move(error));
  };
  Result<harness::Scratch> scratch = harness::Scratch::make();
  if (!scratch) return refuse(scratch.error());
  Result<harness::WorkerProcess> worker =
      harness::WorkerProcess::start({.plugins = config.plugins,
                                     .environment = harness::environment_of(config),
                                     .limits = harness::limits_of(config)});
  if (!worker) return refuse(worker.error());
  const harness::CellSpec spec{.workload = cell.workload.id,
                               .params = cell.params.entries(),
                               .device = config.device,
                               .variants = config.variants,
                               .scratch = scratch->text()};
  const harness::Answer answer =
      worker->ask({.op = "verify", .cell = spec}, "verified", [&](harness::WorkerReply& reply) {
        if (reply.verification) outcomes.verified.push_back(*reply.verification);
      });
  if (answer.error) return refuse(*answer.error);
  if (answer.end) {
    outcomes.failures.push_back(report::visible(
        fmt::format("{}: {} in {}: {}", name, answer.end->status,
                    answer.end->variant.empty() ? "the problem or its reference" : answer.end->variant,
                    answer.end->detail)));
  }
}

int run_verify(const Arguments& arguments) {
  RunConfig config;
  config.targets = arguments.positional.empty() ? std::vector<std::string>{"all"} : arguments.positional;
  config.parameters = arguments.list("param");
  config.plugins = arguments.list("plugin");
  config.variants = arguments.list("variant");
  config.device = arguments.text("device");
  config.suite = arguments.text("suite");
  config.timeout_seconds = arguments.number("timeout");
  config.memory_limit_bytes = arguments.number("memory-limit");
  if (const Status enough = harness::check_memory_limit(config.memory_limit_bytes); !enough)
    return fail(arguments, enough.error());
  warn_of_repeats(arguments);
  harness::install_interrupt_handlers();
  auto cells = cells_of(config);
  if (!cells) return fail(arguments, cells.error());
  Progress progress(arguments);
  Outcomes outcomes;
  for (std::size_t i = 0; i < cells->size() && harness::interrupted() == 0; ++i) {
    progress.show(static_cast<double>(i) / static_cast<double>(cells->size()), (*cells)[i].workload.id);
    Outcomes so_far = outcomes;
    verify_cell((*cells)[i], config, outcomes);
    // A cell that was interrupted was neither verified nor found wanting.
    if (harness::interrupted() != 0) outcomes = std::move(so_far);
  }
  progress.clear();
  const auto not_run = std::ranges::count_if(outcomes.verified, &Verification::skipped);
  const bool passed =
      std::ranges::all_of(outcomes.verified, [](const Verification& v) { return v.passed() || v.skipped(); });
  std::string text;
  if (arguments.json()) {
    text =
        json_document("verify", {{"passed", passed && outcomes.failures.empty() && outcomes.refused.empty()},
                                 {"skipped", not_run},
                                 {"cells", to_json(outcomes.verified)},
                                 {"failures", to_json(outcomes.failures)}});
  } else {
    for (const Verification& v : outcomes.verified) text += describe(v);
    for (const std::string& failure : outcomes.failures) text += "BAD  " + failure + "\n";
    const auto good = static_cast<std::size_t>(
        std::ranges::count_if(outcomes.verified, [](const Verification& v) { return v.passed(); }));
    const std::size_t all =
        outcomes.verified.size() + outcomes.failures.size() - static_cast<std::size_t>(not_run);
    text += fmt::format("{} cell{} verified, {} failed", all, all == 1 ? "" : "s", all - good);
    text += not_run > 0 ? fmt::format(", {} cannot run here\n", not_run) : "\n";
  }
  const bool written = print(text);
  int code = !outcomes.failures.empty() ? kExitWorkload : passed ? kExitValid : kExitInvalid;
  if (not_run > 0 && not_run == std::ssize(outcomes.verified))  // nothing of it was proven
    code = worse_exit(code, static_cast<int>(ErrorCode::environment));
  for (const Error& error : outcomes.refused) code = worse_exit(code, fail(arguments, error));
  if (!written) return static_cast<int>(ErrorCode::io);
  if (const int signal = harness::interrupted(); signal != 0) {
    warn(arguments,
         fmt::format("interrupted: {} of {} cells were not verified",
                     cells->size() - outcomes.verified.size() - outcomes.failures.size(), cells->size()));
    return 128 + signal;
  }
  return code;
}

}  // namespace

const Command kVerify{
    .name = "verify",
    .summary = "Checks answers only, and tests the checker itself with wrong ones",
    .positional = "[WORKLOAD...]",
    .flags = {{.name = "param", .kind = FlagKind::list, .help = "sizes of an axis", .value = "NAME=VALUES"},
              {.name = "variant", .kind = FlagKind::list, .help = "only these variants", .value = "NAME"},
              {.name = "device",
               .kind = FlagKind::text,
               .help = "where to run: cpu, or cuda:0",
               .value = "DEVICE",
               .fallback = "cpu"},
              {.name = "suite",
               .kind = FlagKind::choice,
               .help = "which sizes",
               .value = "SUITE",
               .fallback = "small",
               .choices = {"small", "quick", "full"}},
              {.name = "timeout",
               .kind = FlagKind::real,
               .help = "a worker silent for longer is ended",
               .value = "SECONDS",
               .fallback = "120",
               .low = 0.1,
               .high = 86400},
              {.name = "memory-limit",
               .kind = FlagKind::real,
               .help = "that a worker may hold; 0 = nine tenths of what is free",
               .value = "BYTES",
               .fallback = "0",
               .high = 1e15},
              plugin_flag()},
    .details =
        "Every mutant (zeros, constant, copied input, mean, shuffled, stale, off-by-one tile, truncated "
        "tail,\n"
        "lower precision, sign flip, NaN, infinity, one element and one tile off) must be rejected.",
    .run = run_verify};

}  // namespace aisp::cli
