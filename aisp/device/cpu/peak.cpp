// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cpu/peak.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "aisp/core/check.h"
#include "aisp/device/buffer.h"
#include "aisp/device/clock.h"
#include "aisp/device/cpu/affinity.h"
#include "aisp/device/cpu/arithmetic_probes.h"
#include "aisp/device/cpu/bandwidth_probes.h"
#include "aisp/device/cpu/latency_probe.h"
#include "aisp/device/cpu/pinned_team.h"
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
  const auto edge = static_cast<std::size_t>(kJustAbove * static_cast<double>(below));
  if (below != 0 && 2 * edge * n <= memory_bytes)
    levels.push_back({.name = levels.back().name + "+memory",
                      .capacity = static_cast<double>(memory_bytes),
                      .sets = {edge, 2 * below},
                      .long_passes = true,
                      .weight = 2});
  levels.push_back(
      {.name = "memory", .capacity = 0, .sets = {memory_bytes / n}, .long_passes = true, .weight = 4});
  return levels;
}

/// One thing to try, and the best it gave.
struct Candidate {
  std::string probe;
  std::function<double()> measure;  ///< higher is better
  double best = 0;
};

/// Tries all, the likely best first, then goes on with the leaders until the time is over. At least two are
/// tried however little time there is.
const Candidate& best_of(std::vector<Candidate>& candidates, double seconds) {
  const Clock& clock = Clock::instance();
  const double end = clock.now_ns() + seconds * 1e9;
  const auto try_once = [](Candidate& c) { c.best = std::max(c.best, c.measure()); };
  const auto by_best = [](const Candidate& a, const Candidate& b) { return a.best > b.best; };
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (i < 2 || clock.now_ns() < end) try_once(candidates[i]);
  const std::size_t leaders = std::min<std::size_t>(3, candidates.size());
  do {
    std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(leaders),
                      candidates.end(), by_best);
    for (std::size_t i = 0; i < leaders && (i == 0 || clock.now_ns() < end); ++i) try_once(candidates[i]);
  } while (clock.now_ns() < end);
  return *std::max_element(candidates.begin(), candidates.end(),
                           [&](const auto& a, const auto& b) { return by_best(b, a); });
}

/// A team and its memory. Each thread makes its own, so that it lies on that thread's NUMA node.
class Bench {
 public:
  Bench(int threads, std::size_t bytes_per_thread)
      : team_(threads), memory_(static_cast<std::size_t>(threads)) {
    // Room to move the arrays apart; see arrays().
    team_.run([&](int thread, int) {
      memory_[static_cast<std::size_t>(thread)] =
          Buffer(bytes_per_thread + 16 * kProbeBlock, {.huge_pages = true});
    });
    team_.arm();
  }

  int threads() const { return team_.size(); }
  Buffer& memory(int thread) { return memory_[static_cast<std::size_t>(thread)]; }

  /// Useful bytes a second of all threads together.
  double bandwidth(Traffic traffic, const BandwidthProbe& probe, std::size_t set, std::size_t least_bytes) {
    const std::size_t bytes = arrays(0, traffic, set).bytes;
    const std::size_t useful = bytes * static_cast<std::size_t>(arrays_of(traffic));
    const std::size_t passes = std::max<std::size_t>(1, least_bytes / useful);
    const double ns = time_ns([&](int thread) { probe.run(arrays(thread, traffic, set), passes); });
    return static_cast<double>(useful) * static_cast<double>(passes) * threads() / ns * 1e9;
  }

  double operations(const ArithmeticProbe& probe) {
    constexpr std::size_t kTurns = 40'000;  // 0.1 ms and more: a hundred times the handshake
    const double ns = time_ns([&](int) { probe.run(kTurns); });
    return probe.operations_per_turn * double(kTurns) * threads() / ns * 1e9;
  }

  template <class Body>
  double time_ns(const Body& body) {
    const Clock& clock = Clock::instance();
    const double start = clock.now_ns();
    team_.run([&](int thread, int) { body(thread); });
    return clock.now_ns() - start;
  }

 private:
  /// The arrays start at different offsets in their pages: a load that matches an earlier store in its low
  /// twelve bits waits for it.
  ProbeArrays arrays(int thread, Traffic traffic, std::size_t set) {
    const auto count = static_cast<std::size_t>(arrays_of(traffic));
    const std::size_t bytes = std::max(kProbeBlock, set / count / kProbeBlock * kProbeBlock);
    std::byte* base = memory(thread).data();
    const std::size_t step = bytes + kProbeBlock + 1088;
    return {base, base + (count > 1 ? step : 0), base + (count > 2 ? 2 * step : 0), bytes};
  }

  PinnedTeam team_;
  std::vector<Buffer> memory_;
};

/// A cell of the table still to be measured.
struct Task {
  Ceiling ceiling;
  double weight = 1;
  std::function<void(Bench&, Ceiling&, double seconds)> measure;
};

Task bandwidth_task(Traffic traffic, const Level& level, int threads) {
  Task task{.ceiling = {.name = name_of(traffic),
                        .level = level.name,
                        .threads = threads,
                        .unit = "B/s",
                        .working_set_bytes = level.capacity},
            .weight = level.weight};
  task.measure = [traffic, level](Bench& bench, Ceiling& ceiling, double seconds) {
    // In cache a window is 0.1 ms or so, long against the handshake and short against a time slice; from
    // memory one pass is the shortest possible.
    const std::size_t least = level.long_passes ? 0 : std::size_t{16} << 20;
    std::vector<Candidate> candidates;
    for (const BandwidthProbe& probe : bandwidth_probes(traffic))
      for (const std::size_t set : level.sets)
        if (probe.from_memory || !level.long_passes)
          candidates.push_back(
              {std::string(probe.name) + ", " + std::to_string(set / 1024) + " KiB a thread",
               [&bench, traffic, probe, set, least] { return bench.bandwidth(traffic, probe, set, least); }});
    const Candidate& best = best_of(candidates, seconds);
    ceiling.value = best.best;
    ceiling.probe = best.probe;
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
  task.measure = [set = level.sets.front()](Bench& bench, Ceiling& ceiling, double seconds) {
    PointerChase chase(bench.memory(0).data(), set);
    // Long enough to leave the lines that the chase's own set-up left in nearer caches.
    const std::size_t loads = std::clamp<std::size_t>(chase.lines(), 16'384, 262'144);
    std::vector<Candidate> candidates;
    candidates.push_back({"pointer chase, " + std::to_string(set / 1024) + " KiB", [&] {
                            const double ns = bench.time_ns([&](int) { chase.follow(loads); });
                            return static_cast<double>(loads) / clamp_positive(ns);
                          }});
    const Candidate& best = best_of(candidates, seconds);
    ceiling.value = 1 / clamp_positive(best.best);
    ceiling.probe = best.probe;
  };
  return task;
}

Task arithmetic_task(DType type, int threads) {
  Task task{.ceiling = {.name = "fma",
                        .level = std::string(name_of(type)),
                        .threads = threads,
                        .unit = is_floating(type) ? "FLOP/s" : "OP/s"}};
  task.measure = [type](Bench& bench, Ceiling& ceiling, double seconds) {
    std::vector<Candidate> candidates;
    for (const ArithmeticProbe& probe : arithmetic_probes())
      if (probe.type == type)
        candidates.push_back({probe.name, [&bench, probe] { return bench.operations(probe); }});
    const Candidate& best = best_of(candidates, seconds);
    ceiling.value = best.best;
    ceiling.probe = best.probe;
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

  Ceilings ceilings{.hardware = hardware_key(), .date = today(), .entries = {}};
  for (std::size_t i = 0; i < teams.size(); ++i) {
    Bench bench(teams[i], memory_bytes / static_cast<std::size_t>(teams[i]));
    for (Task& task : tasks[i]) {
      if (progress)
        progress(done_weight / total_weight, task.ceiling.name + " of " + task.ceiling.level + ", " +
                                                 std::to_string(teams[i]) +
                                                 (teams[i] == 1 ? " thread" : " threads"));
      // What is left is shared anew each time: a task that needed more takes it from all later ones alike.
      const double left = options.seconds - (clock.now_ns() - start) * 1e-9;
      task.measure(bench, task.ceiling, std::max(0.0, left * task.weight / (total_weight - done_weight)));
      done_weight += task.weight;
      ceilings.entries.push_back(task.ceiling);
    }
  }
  if (options.consistent) make_consistent(ceilings);
  if (progress) progress(1, "");
  return ceilings;
}

}  // namespace aisp::device
