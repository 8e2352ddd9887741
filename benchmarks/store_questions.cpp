// SPDX-License-Identifier: Apache-2.0
// How long questions over a large store take, and how much memory. Fills a store with made-up cells of four
// variants, as many as asked for, through the same functions as real ones; then asks.
//
//   store_questions big.db --cells 250000 --contests 5000     # a million figures; 20,000 different ones
//   store_questions big.db --cells 5000 --rounds 250          # cells with raw samples, which leaders are
//   read from store_questions big.db --ask 200                          # only asks, 200 times each
//
// Times are of this machine at this moment: quote them with both. Exit code 1: a question took longer than
// promised.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <time.h>

#include "aisp/analysis/history.h"
#include "aisp/analysis/leaderboard.h"
#include "aisp/analysis/pareto.h"
#include "aisp/analysis/whatif.h"
#include "aisp/cli/hardware.h"
#include "aisp/cli/stored_history.h"
#include "aisp/cli/stored_rounds.h"
#include "aisp/core/rng.h"
#include "aisp/store/append.h"
#include "aisp/store/database.h"
#include "aisp/store/event.h"
#include "aisp/store/figures.h"
#include "aisp/store/store.h"
#include "aisp/wire/json.h"

namespace {

using namespace aisp;

/// The first is one that the program has, so that its page shows it whole.
constexpr const char* kRealWorkload = "ch09/softmax";
std::string workload_of(long contest) {
  const long workload = contest % 100;
  if (workload == 0) return kRealWorkload;
  return "ch" + std::to_string(10 + workload % 20) + "/workload_" + std::to_string(workload);
}

/// One of `contests` different cells; numbers vary from one repetition to the next. One in fifty gets slower
/// by a tenth in the middle of its history, so that looking back has changes to find and to test. The newest
/// result of each contest has raw samples, each somewhat like the one before: those are what leaders are
/// decided by.
CellResult cell_number(long number, long contests, long cells, long rounds) {
  const long contest = number % contests;
  CellResult cell;
  cell.workload = workload_of(contest);
  cell.parameters = "n=" + std::to_string(64 << (contest / 100 % 10)) + " threads=1";
  cell.finished = "2026-11-15T12:00:00Z";
  cell.stopped = "precise";
  cell.validity = Validity::valid;
  cell.work_bytes = cell.work_items = static_cast<double>(64 << (contest / 100 % 10));
  const double step = contest % 50 == 7 && number > cells / 2 ? 1.1 : 1.0;
  const double noise = Rng(static_cast<std::uint64_t>(number)).uniform(1, 1.02);
  const double base = step * noise * 1000.0 * static_cast<double>(1 + contest % 977);
  Rng shaken(static_cast<std::uint64_t>(number + cells));
  if (number < cells - contests) rounds = 0;
  for (int r = 0; r < rounds; ++r) cell.rounds.push_back({.attempt = r % 3, .round = r / 3});
  for (int v = 0; v < 4; ++v) {
    VariantResult& variant = cell.variants.emplace_back();
    variant.name = "variant_" + std::to_string(v);
    variant.validity = number % 17 == v ? Validity::unproven : Validity::valid;
    const double ns = base / (1 + v * 0.7);
    variant.time_ns = variant.figure = Estimate{ns, 0.98 * ns, 1.02 * ns};
    double drift = 0;
    for (int r = 0; r < rounds; ++r) {
      drift = 0.6 * drift + shaken.uniform(-0.02, 0.02);
      variant.samples.attempt.push_back(r % 3);
      variant.samples.round.push_back(r / 3);
      variant.samples.pass.push_back(0);
      variant.samples.calls.push_back(16);
      variant.samples.ns.push_back(ns * (1 + drift));
    }
    variant.memory.peak_bytes = 4096.0 * (v + 1) * static_cast<double>(1 + contest % 31);
    variant.evidence.answers.checked = 1;
    if (v > 0)
      variant.speedup = RatioEstimate{.against = "variant_0",
                                      .ratio = base / ns,
                                      .low = 0.98 * base / ns,
                                      .high = 1.02 * base / ns,
                                      .outcome = Outcome::faster};
  }
  return cell;
}

/// The first thousand contests are this machine's, whose past the first page asks for.
std::string machine_of(long number, long contests) {
  static const std::string here = *cli::hardware_of("cpu");
  const long machine = number % contests / 1000;
  return machine == 0 ? here : "machine " + std::to_string(machine);
}

store::Event beginning_of(const std::string& run, const std::string& hardware) {
  RunRecord record{.id = run, .started = "2026-11-15T11:00:00Z", .status = "running"};
  record.manifest.hardware = hardware;
  record.manifest.facts = {{.name = "git", .value = run.substr(4)}};
  store::Event event;
  event.run = run;
  event.kind = store::kRunStarted;
  event.hardware = hardware;
  event.payload = to_json(record).dump();
  return event;
}

void fill(store::Store& store, long cells, long contests, long rounds) {
  constexpr long kBatch = 2000, kCellsOfARun = 200;
  for (long first = 0; first < cells; first += kBatch) {
    store::Transaction transaction(store.database());
    for (long i = first; i < std::min(first + kBatch, cells); ++i) {
      const CellResult cell = cell_number(i, contests, cells, rounds);
      const std::string run = "run-" + std::to_string(i / kCellsOfARun);
      if (i % kCellsOfARun == 0) {
        store::Event start = beginning_of(run, machine_of(i, contests));
        store::seal(start);
        store::append(store.database(), start);
      }
      store::Event event;
      event.run = run;
      event.kind = store::kCellFinished;
      event.workload = cell.workload;
      event.parameters = cell.parameters;
      event.device = cell.device;
      event.hardware = machine_of(i, contests);
      event.validity = name_of(cell.validity);
      event.payload = to_json(cell).dump();
      store::seal(event);
      store::append(store.database(), event);
    }
    transaction.commit();
    if (first % (25 * kBatch) == 0) std::fprintf(stderr, "%ld of %ld cells\n", first, cells);
  }
}

double peak_mib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::strtod(line.c_str() + 6, nullptr) / 1024;
  }
  return 0;
}

double cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

constexpr double kPromisedMs = 300;

/// The value below which this share of them lies.
double at_share(std::vector<double> values, double share) {
  std::ranges::sort(values);
  const double rank = std::ceil(share * static_cast<double>(values.size()));
  return values[static_cast<std::size_t>(rank) - 1];
}

/// `question` returns how many lines its answer has. By the wall clock, and by the processor's time, which
/// does not count what others do on this machine.
/// False where a hundredth of the answers took longer than promised.
bool ask(const char* name, int times, const std::function<std::size_t()>& question) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> wall, cpu;
  std::size_t lines = 0;
  for (int i = 0; i < times; ++i) {
    const auto start = Clock::now();
    const double before = cpu_ms();
    lines = question();
    cpu.push_back(cpu_ms() - before);
    wall.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  }
  std::printf(
      "%-28s %6zu lines  wall: median %7.2f p99 %7.2f ms  cpu: median %7.2f p99 %7.2f ms  peak %5.1f MiB\n",
      name, lines, at_share(wall, 0.5), at_share(wall, 0.99), at_share(cpu, 0.5), at_share(cpu, 0.99),
      peak_mib());
  return at_share(wall, 0.99) < kPromisedMs;
}

long option(int argc, char** argv, const std::string& name, long fallback) {
  for (int i = 2; i + 1 < argc; ++i) {
    if (argv[i] == name) return std::atol(argv[i + 1]);
  }
  return fallback;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: store_questions FILE [--cells N --contests N --rounds N] [--ask TIMES]\n");
    return 2;
  }
  const long cells = option(argc, argv, "--cells", 0);
  const long contests = option(argc, argv, "--contests", 5000);
  const long rounds = option(argc, argv, "--rounds", 0);
  const int times = static_cast<int>(option(argc, argv, "--ask", 100));
  if (cells > 0) {
    Result<store::Store> store = store::Store::open(argv[1], store::Access::read_write);
    if (!store) return std::fprintf(stderr, "%s\n", store.error().message.c_str()), 6;
    fill(*store, cells, contests, rounds);
  }
  Result<store::Store> store = store::Store::open(argv[1], store::Access::read_only);
  if (!store) return std::fprintf(stderr, "%s\n", store.error().message.c_str()), 6;
  const std::string one = kRealWorkload;
  bool kept = true;
  const auto all = [&] { return *store::latest_figures(*store); };
  kept &= ask("figures of one workload", times,
              [&] { return store::latest_figures(*store, {.workloads = {one}})->size(); });
  kept &= ask("figures of all workloads", times, [&] { return all().size(); });
  kept &= ask("names of workloads", times, [&] { return store::figure_workloads(*store)->size(); });
  kept &= ask("leaderboard", times, [&] { return leaders(analysis::standings(all(), {}), 20).size(); });
  kept &= ask("leaderboard by rounds", times, [&] {
    auto standings = analysis::standings(all(), {});
    cli::StoredRounds read(&*store);
    return cli::leaders_by_rounds(standings, read)->size();
  });
  kept &= ask("leaderboard of one workload", times, [&] {
    return analysis::standings(*store::latest_figures(*store, {.workloads = {one}}), {}).size();
  });
  kept &= ask("pareto", times, [&] {
    const std::vector<Figure> figures = all();
    std::size_t fronts = 0;
    for (const analysis::Contest& contest : analysis::contests(figures))
      fronts += analysis::pareto(contest).needs.empty() ? 1 : 0;
    return fronts;
  });
  kept &= ask("what if, as measured", times,
              [&] { return analysis::what_if(all(), {.latency_ns = 1e5, .memory_bytes = 1e5}).size(); });
  kept &= ask("what if, a size of a model", times,
              [&] { return analysis::what_if(all(), {.latency_ns = 1e5, .size = {{"n", 3000}}}).size(); });
  const auto history = [&](const cli::HistoryQuery& query) {
    std::size_t changed = 0;
    const auto look = [&](HistorySeries&& series) {
      changed += analysis::examine(std::move(series), {}).changes.empty() ? 0 : 1;
    };
    cli::RunBeginnings beginnings;
    if (!cli::each_series(*store, query, beginnings, look)) std::abort();
    return changed;
  };
  kept &= ask("history of one workload", times,
              [&] { return history({.hardware = machine_of(0, contests), .workloads = {one}}); });
  kept &= ask("history of a machine", times, [&] { return history({.hardware = machine_of(0, contests)}); });
  if (!kept) std::printf("a hundredth of the answers to a question took %.0f ms or longer\n", kPromisedMs);
  return kept ? 0 : 1;
}
