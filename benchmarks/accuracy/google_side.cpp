// SPDX-License-Identifier: Apache-2.0
// Google Benchmark's side, used as its documentation says: repetitions of each benchmark, medians compared,
// and the Mann-Whitney U test at 5 % that its compare.py applies (it asks for at least nine repetitions).
#include <benchmark/benchmark.h>

#include <chrono>
#include <map>
#include <vector>

#include "aisp/stats/summary.h"
#include "kernels.h"
#include "mann_whitney.h"
#include "side.h"

namespace aisp::benchmarks {
namespace {

constexpr int kRepetitions = 10;
// Finding the number of iterations costs a repetition about as much again as it then measures.
constexpr double kShareMeasured = 0.75;

/// Keeps the time per iteration of every repetition; prints nothing. Google Benchmark reports two times: that
/// of the clock on the wall, and the thread's CPU time, which leaves out what other programs took on a busy
/// machine. Chains are compared by the second, which is the kinder to it; a spin ends by the wall clock, so
/// only the first is its time.
class Collector : public benchmark::BenchmarkReporter {
 public:
  explicit Collector(bool cpu_time) : cpu_time_(cpu_time) {}
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      times[run.run_name.function_name].push_back(cpu_time_ ? run.GetAdjustedCPUTime()
                                                            : run.GetAdjustedRealTime());
    }
  }
  std::map<std::string, std::vector<double>> times;

 private:
  bool cpu_time_;
};

void set_flags(double seconds_per_repetition, bool interleaved) {
  std::vector<std::string> flags{
      "harness_accuracy", "--benchmark_repetitions=" + std::to_string(kRepetitions),
      "--benchmark_min_time=" + std::to_string(seconds_per_repetition),
      std::string("--benchmark_enable_random_interleaving=") + (interleaved ? "true" : "false")};
  std::vector<char*> arguments;
  for (std::string& flag : flags) arguments.push_back(flag.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
}

class GoogleSide : public Side {
 public:
  explicit GoogleSide(bool interleaved) : interleaved_(interleaved) {}
  std::string name() const override {
    return interleaved_ ? "Google Benchmark, interleaved" : "Google Benchmark";
  }

  double time_of_spin(std::int64_t ns, double budget_seconds) override {
    set_flags(kShareMeasured * budget_seconds / kRepetitions, interleaved_);
    benchmark::ClearRegisteredBenchmarks();
    benchmark::RegisterBenchmark("spin", [ns](benchmark::State& state) {
      for (auto _ : state) spin(ns);
    })->UseRealTime();
    Collector collector(false);
    benchmark::RunSpecifiedBenchmarks(&collector, "all");
    return stats::median(collector.times["spin"]);
  }

  Verdict compare(const ChainPair& pair, double budget_seconds) override {
    const auto start = std::chrono::steady_clock::now();
    set_flags(kShareMeasured * budget_seconds / (2 * kRepetitions), interleaved_);
    benchmark::ClearRegisteredBenchmarks();
    const auto add = [](const char* name, std::int64_t length, std::int64_t extra) {
      benchmark::RegisterBenchmark(name, [length, extra](benchmark::State& state) {
        std::uint64_t x = 1;
        for (auto _ : state) {
          x = chain(x, length);
          if (extra > 0) benchmark::DoNotOptimize(chain(x, extra));
          benchmark::DoNotOptimize(x);
        }
      });
    };
    add("base", pair.length, 0);
    add("longer", pair.length, pair.extra);
    Collector collector(true);
    benchmark::RunSpecifiedBenchmarks(&collector, "all");
    const std::vector<double>& base = collector.times["base"];
    const std::vector<double>& longer = collector.times["longer"];
    return {.ratio = stats::median(base) / stats::median(longer),
            .called = mann_whitney_p(base, longer) < 0.05,
            .seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
  }

 private:
  bool interleaved_;
};

}  // namespace

std::unique_ptr<Side> make_google_side(bool interleaved) { return std::make_unique<GoogleSide>(interleaved); }

}  // namespace aisp::benchmarks
