// SPDX-License-Identifier: Apache-2.0
/// \file
/// Writers killed with SIGKILL at random points, round after round, and the store read afterwards: what a
/// writer was told is saved must be there, nothing may be there in part, the chain must hold, no file may be
/// left over.
///
///   KillReport report = kill_rounds({.rounds = 60, .writers = 3, .directory = scratch});
///   EXPECT_EQ(report.problems.size(), 0u);
///
/// Shared by tests/store (a few rounds) and the soak program (thousands). Not a test of power cuts: what the
/// kernel has accepted survives a kill.
#pragma once

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "aisp/store/chain.h"
#include "aisp/store/prune.h"
#include "aisp/store/store.h"
#include "aisp/wire/json.h"

namespace aisp::store::soak {

struct KillOptions {
  int rounds = 60;
  int writers = 1;
  std::uint64_t seed = 1;
  std::filesystem::path directory;                        ///< an existing one, for this alone
  std::function<std::filesystem::path()> new_store = {};  ///< on a server; else a file in the directory
  double seconds = 1e9;                                   ///< no round begins later
  double longest_ms = 40;                                 ///< a writer's longest life
  int rounds_per_store = 25;  ///< then a new store, so that creation is killed too
  std::function<void(int round)> progress = [](int) {};
};

struct KillReport {
  int rounds = 0;
  std::int64_t acknowledged = 0;  ///< cells that writers were told are saved
  std::int64_t beyond = 0;        ///< cells found whole whose writer died before it heard
  std::int64_t lost = 0;          ///< acknowledged and not found, or found different
  std::int64_t partial = 0;       ///< found in any state that was never stored
  std::int64_t broken = 0;        ///< rounds after which the chain did not hold
  std::vector<std::string> problems;
};

/// Cells of very different sizes: one page, several, hundreds of kilobytes now and then.
inline CellResult cell_of(int round, int writer, int number) {
  CellResult cell;
  cell.workload = "soak/w" + std::to_string(writer);
  cell.parameters = "n=" + std::to_string(number);
  cell.stopped = "precise";
  cell.validity = Validity::valid;
  VariantResult variant;
  variant.name = "v";
  const int samples = number % 13 == 12 ? 8000 : 10 << number % 5;
  for (int i = 0; i < samples; ++i) variant.samples.ns.push_back(1000.0 * round + number + i / 3.0);
  cell.variants.push_back(std::move(variant));
  return cell;
}

inline std::string run_of(int round, int writer) {
  return "k" + std::to_string(round) + "-" + std::to_string(writer);
}

/// What no writer may meet, told before it ends.
template <class R>
void must(const R& result, int code, const char* doing) {
  if (result) return;
  std::fprintf(stderr, "a writer, %s: %s\n", doing, result.error().message.c_str());
  ::_exit(code);
}

/// The writer's life. Each number goes to the pipe only after the store acknowledged the cell.
[[noreturn]] inline void write_until_killed(const std::filesystem::path& file, int round, int writer,
                                            int writers, int pipe) {
  Result<Store> store = Store::open(file, Access::read_write);
  must(store, 3, "opening");
  RunRecord run;
  run.id = run_of(round, writer);
  must(store->run_started(run), 4, "starting a run");
  PruneOptions keep_recent;
  keep_recent.keep_newest = static_cast<std::size_t>(4 * writers);
  for (std::int32_t number = 0;; ++number) {
    const CellResult cell = cell_of(round, writer, number);
    must(store->cell_started(run.id, cell.workload, cell.parameters), 5, "starting a cell");
    must(store->cell_finished(run.id, cell), 6, "finishing a cell");
    if (::write(pipe, &number, sizeof number) != sizeof number) ::_exit(7);
    // Old runs go while others write; this round's are the newest and stay.
    if (number % 7 == 3) must(prune(*store, keep_recent), 8, "pruning");
  }
}

struct Writer {
  pid_t process = 0;
  int pipe = -1;
  std::vector<std::int32_t> acknowledged;
};

inline Writer start_writer(const std::filesystem::path& file, int round, int writer, int writers) {
  int ends[2];
  if (::pipe(ends) != 0) std::abort();
  Writer started;
  started.process = ::fork();
  if (started.process == 0) {
    ::close(ends[0]);
    write_until_killed(file, round, writer, writers, ends[1]);
  }
  ::close(ends[1]);
  started.pipe = ends[0];
  return started;
}

/// Until there are `count`, or the writer is gone.
inline void await_acknowledgements(Writer& writer, std::size_t count) {
  std::int32_t number = 0;
  while (writer.acknowledged.size() < count && ::read(writer.pipe, &number, sizeof number) == sizeof number) {
    writer.acknowledged.push_back(number);
  }
}

/// Reads one round back.
class Inspection {
 public:
  Inspection(KillReport& report, int round) : report_(report), round_(round) {}

  void store(const std::filesystem::path& file, const std::vector<Writer>& writers) {
    Result<Store> store = Store::open(file, Access::read_write);
    if (!store) return problem("does not open: " + store.error().message);
    for (std::size_t w = 0; w < writers.size(); ++w)
      run(*store, static_cast<int>(w), writers[w].acknowledged);
    const Result<ChainReport> chain = check_chain(*store);
    if (!chain || chain->broken) {
      ++report_.broken;
      problem("chain: " + (chain ? chain->broken->what : chain.error().message));
    }
  }

  void files(const std::filesystem::path& directory) {
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
      if (entry.path().filename() != "results.db") problem("left over: " + entry.path().filename().string());
    }
  }

  void problem(const std::string& what) {
    if (report_.problems.size() < 20)
      report_.problems.push_back("round " + std::to_string(round_) + ": " + what);
  }

 private:
  void run(Store& store, int writer, const std::vector<std::int32_t>& acknowledged) {
    report_.acknowledged += static_cast<std::int64_t>(acknowledged.size());
    const Result<RunRecord> run = store.load(run_of(round_, writer));
    if (!run) {
      if (acknowledged.empty() && run.error().code == ErrorCode::bad_input) return;  // died before it began
      report_.lost += static_cast<std::int64_t>(acknowledged.size());
      return problem("run does not load: " + run.error().message);
    }
    std::map<std::string, std::string> found;
    for (const CellResult& cell : run->cells) {
      if (cell.stopped != "interrupted") found[cell.parameters] = to_json(cell).dump();
    }
    for (const std::int32_t number : acknowledged) {
      const auto cell = found.find("n=" + std::to_string(number));
      if (cell != found.end()) continue;
      ++report_.lost;
      problem("lost cell " + std::to_string(number) + " of " + run->id);
    }
    for (const auto& [parameters, text] : found) {
      if (text == to_json(cell_of(round_, writer, std::stoi(parameters.substr(2)))).dump()) continue;
      ++report_.partial;
      problem("cell " + parameters + " of " + run->id + " is not what was stored");
    }
    report_.beyond += static_cast<std::int64_t>(found.size() - std::min(found.size(), acknowledged.size()));
  }

  KillReport& report_;
  int round_;
};

inline KillReport kill_rounds(const KillOptions& options) {
  KillReport report;
  std::mt19937_64 random(options.seed);
  using Time = std::chrono::steady_clock;
  const auto until = Time::now() + std::chrono::duration<double>(options.seconds);
  std::filesystem::path file = options.directory / "results.db";
  for (int round = 0; round < options.rounds && Time::now() < until; ++round) {
    if (round % options.rounds_per_store == 0) {
      std::filesystem::remove(file);
      if (options.new_store) file = options.new_store();
    }
    std::vector<Writer> writers;
    for (int w = 0; w < options.writers; ++w)
      writers.push_back(start_writer(file, round, w, options.writers));
    Inspection inspection(report, round);
    for (Writer& writer : writers) {
      // Half of them die wherever the clock finds them, often while opening or creating; half in the midst of
      // writing, however slow the disk.
      if (random() % 2 == 0) await_acknowledgements(writer, 1 + random() % 12);
      // Log-uniform: the short phases must be hit as often as the long ones.
      const double life =
          0.05 * std::pow(options.longest_ms / 0.05, std::uniform_real_distribution<>(0, 1)(random));
      std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(life));
      ::kill(writer.process, SIGKILL);
      int status = 0;
      ::waitpid(writer.process, &status, 0);
      if (!WIFSIGNALED(status))
        inspection.problem("a writer ended by itself with " + std::to_string(status >> 8));
      std::int32_t number = 0;
      while (::read(writer.pipe, &number, sizeof number) == sizeof number)
        writer.acknowledged.push_back(number);
      ::close(writer.pipe);
    }
    inspection.store(file, writers);
    inspection.files(options.directory);
    report.rounds = round + 1;
    options.progress(round + 1);
  }
  return report;
}

}  // namespace aisp::store::soak
