// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cpu/peak.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "aisp/device/clock.h"
#include "aisp/device/cpu/affinity.h"
#include "aisp/device/cpu/arithmetic_probes.h"
#include "aisp/device/cpu/bandwidth_probes.h"
#include "aisp/device/cpu/latency_probe.h"
#include "aisp/device/cpu/peak_bench.h"
#include "aisp/device/cpu/peak_candidates.h"
#include "aisp/device/cpu/topology.h"

namespace aisp::device {
namespace {

double clamp_positive(double value) { return std::max(value, 1e-12); }

std::string today() {
  const time_t now = time(nullptr);
  tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

/// Where data may live, for a team: how much it holds and with which working sets per thread it is measured.
struct Level {
  std::string name;
  double capacity = 0;  ///< of all threads together; 0 = any
  std::vector<std::size_t> sets;
  bool long_passes = false;
  double weight = 1;  ///< share of the time
};

/// Data somewhat larger than a level is still partly served by it (replacement is not strictly by age), so a
/// level is also measured just above the one below: its ceiling must hold for every working set it is asked
/// about.
constexpr double kJustAbove = 1.15;

std::vector<Level> levels_for(int threads, std::size_t memory_bytes) {
  std::vector<Level> levels;
  const Topology& machine = topology();
  const auto n = static_cast<std::size_t>(threads);
  std::size_t below = 0;  // the level below, per thread
  for (const Cache& cache : machine.caches) {
    const std::size_t sharing = std::min(n, static_cast<std::size_t>(cache.cores_sharing));
    const std::size_t per_thread = cache.bytes / sharing;
    if (per_thread <= below || per_thread * n >= memory_bytes) continue;
    Level level{.name = "L" + std::to_string(cache.level),
                .capacity = static_cast<double>(per_thread) * threads,
                .sets = {per_thread / 2, per_thread * 3 / 4},
                .weight = cache.level >= 3 ? 2.0 : 1.0};
    const auto above = static_cast<std::size_t>(kJustAbove * static_cast<double>(below));
    if (below != 0 && above < per_thread) level.sets.push_back(above);
    levels.push_back(std::move(level));
    below = per_thread;
  }
  // Beyond the last cache: up to twice its size it still serves a good part, after that next to nothing.
  Level memory{.name = "memory", .capacity = 0, .sets = {memory_bytes / n}, .long_passes = true, .weight = 4};
  const auto edge = static_cast<std::size_t>(kJustAbove * static_cast<double>(below));
  if (below != 0 && 2 * edge * n <= memory_bytes) {
    levels.push_back({.name = levels.back().name + "+memory",
                      .capacity = 2.0 * static_cast<double>(below * n),
                      .sets = {edge, below * 3 / 2},
                      .long_passes = true,
                      .weight = 2});
    memory.sets.push_back(2 * edge);
  }
  levels.push_back(std::move(memory));
  return levels;
}

/// A cell of the table still to be measured.
struct Task {
  Ceiling ceiling;
  double weight = 1;
  std::function<void(PeakBench&, Ceiling&, double seconds, Rankings&)> measure;
};

Task bandwidth_task(Traffic traffic, const Level& level, int threads) {
  Task task{.ceiling = {.name = name_of(traffic),
                        .level = level.name,
                        .threads = threads,
                        .unit = "B/s",
                        .working_set_bytes = level.capacity},
            .weight = level.weight};
  task.measure = [traffic, level](PeakBench& bench, Ceiling& ceiling, double seconds, Rankings& rankings) {
    std::vector<Candidate> candidates;
    const auto add = [&](const BandwidthProbe& probe, std::size_t set, std::function<double()> measure) {
      candidates.push_back(
          {.probe = std::string(probe.name) + ", " + std::to_string(set / 1024) + " KiB a thread",
           .measure = std::move(measure),
           .sustained = level.long_passes});
    };
    for (const BandwidthProbe& probe : bandwidth_probes(traffic))
      for (const std::size_t set : level.sets) {
        if (level.long_passes) {
          if (probe.from_memory)
            add(probe, set,
                [&bench, traffic, probe, set] { return bench.streamed_bandwidth(traffic, probe, set); });
          continue;
        }
        add(probe, set, [&bench, traffic, probe, set] {
          return bench.cached_bandwidth(traffic, probe, set, PeakBench::kOffset);
        });
        if (arrays_of(traffic) > 1)
          add(probe, set, [&bench, traffic, probe, set] {
            return bench.cached_bandwidth(traffic, probe, set, 2 * PeakBench::kOffset - 64);
          });
      }
    settle(ceiling, std::move(candidates), seconds, rankings);
  };
  return task;
}

Task latency_task(const Level& level) {
  Task task{.ceiling = {.name = "latency",
                        .level = level.name,
                        .threads = 1,
                        .unit = "ns",
                        .working_set_bytes = level.capacity},
            .weight = level.weight};
  task.measure = [level, set = level.sets.front()](PeakBench& bench, Ceiling& ceiling, double seconds,
                                                   Rankings& rankings) {
    PointerChase chase(bench.memory(0).data(), set);
    // Once around, so that the lines are where they stay; not needed, and slow, for sets that stay nowhere.
    if (level.capacity != 0) chase.follow(chase.lines());
    constexpr std::size_t loads = 8192;  // below a millisecond even from memory
    std::vector<Candidate> candidates;
    candidates.push_back({.probe = "pointer chase, " + std::to_string(set / 1024) + " KiB", .measure = [&] {
                            const double ns = bench.time_ns([&](int) { chase.follow(loads); });
                            return static_cast<double>(loads) / clamp_positive(ns);
                          }});
    settle(ceiling, std::move(candidates), seconds, rankings);
    ceiling.value = 1 / clamp_positive(ceiling.value);
  };
  return task;
}

Task arithmetic_task(DType type, int threads) {
  Task task{.ceiling = {.name = "fma",
                        .level = std::string(name_of(type)),
                        .threads = threads,
                        .unit = is_floating(type) ? "FLOP/s" : "OP/s"}};
  task.measure = [type](PeakBench& bench, Ceiling& ceiling, double seconds, Rankings& rankings) {
    std::vector<Candidate> candidates;
    for (const ArithmeticProbe& probe : arithmetic_probes())
      if (probe.type == type)
        candidates.push_back(
            {.probe = probe.name, .measure = [&bench, probe] { return bench.operations(probe); }});
    settle(ceiling, std::move(candidates), seconds, rankings);
  };
  return task;
}

std::vector<Task> tasks_for(int threads, std::size_t memory_bytes, const PeakOptions& options) {
  std::vector<Task> tasks;
  const std::vector<Level> levels = levels_for(threads, memory_bytes);
  for (const Level& level : levels)
    for (const Traffic traffic : {Traffic::read, Traffic::write, Traffic::copy, Traffic::triad})
      tasks.push_back(bandwidth_task(traffic, level, threads));
  if (options.latency && threads == 1)
    for (const Level& level : levels)
      if (level.name.find('+') == std::string::npos) tasks.push_back(latency_task(level));
  if (options.arithmetic)
    for (const DType type : {DType::f32, DType::f64, DType::i8})
      if (std::ranges::any_of(arithmetic_probes(), [&](const auto& p) { return p.type == type; }))
        tasks.push_back(arithmetic_task(type, threads));
  return tasks;
}

}  // namespace

Ceilings measure_ceilings(const PeakOptions& options, const PeakProgress& progress) {
  const Clock& clock = Clock::instance();
  const double start = clock.now_ns();
  std::vector<int> teams = options.threads;
  if (teams.empty()) {
    teams.push_back(1);
    if (allowed_cores() > 1) teams.push_back(allowed_cores());
  }
  // A quarter of free memory at most, should the caches be that large.
  const auto free = static_cast<std::size_t>(std::max(1l, sysconf(_SC_AVPHYS_PAGES))) *
                    static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t memory_bytes = options.memory_bytes != 0
                                       ? options.memory_bytes
                                       : std::clamp(4 * last_level_cache_bytes(), std::size_t{64} << 20,
                                                    std::max(free / 4, std::size_t{64} << 20));

  double total_weight = 0, done_weight = 0;
  std::vector<std::vector<Task>> tasks;
  for (const int threads : teams) {
    tasks.push_back(tasks_for(threads, memory_bytes, options));
    for (const Task& task : tasks.back()) total_weight += task.weight;
  }

  Rankings rankings;
  Ceilings ceilings{.hardware = hardware_key(), .date = today(), .entries = {}};
  for (std::size_t i = 0; i < teams.size(); ++i) {
    PeakBench bench(teams[i], memory_bytes / static_cast<std::size_t>(teams[i]));
    for (Task& task : tasks[i]) {
      if (progress)
        progress(done_weight / total_weight, task.ceiling.name + " of " + task.ceiling.level + ", " +
                                                 std::to_string(teams[i]) +
                                                 (teams[i] == 1 ? " thread" : " threads"));
      // What is left is shared anew each time: a task that needed more takes it from all later ones alike.
      const double left = options.seconds - (clock.now_ns() - start) * 1e-9;
      task.measure(bench, task.ceiling, std::max(0.0, left * task.weight / (total_weight - done_weight)),
                   rankings);
      done_weight += task.weight;
      ceilings.entries.push_back(task.ceiling);
    }
  }
  if (options.consistent) make_consistent(ceilings);
  if (progress) progress(1, "");
  return ceilings;
}

}  // namespace aisp::device
