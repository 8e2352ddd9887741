// SPDX-License-Identifier: Apache-2.0
// aisp and Google Benchmark on the same kernels of known truth, in one sitting and in turn: bias and spread
// of a single time, false alarms on equal pairs, detection of injected slow-downs, time to a verdict. Prints
// Markdown.
//
//   harness_accuracy [--equal N] [--one N] [--two N] [--spins N] [--seconds S] [--others N] [--aisp-only]
//   [--log]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "aisp/harness/worker.h"
#include "aisp/stats/summary.h"
#include "kernels.h"
#include "side.h"

namespace aisp::benchmarks {
namespace {

struct Options {
  int equal = 10;        ///< comparisons of a chain with itself
  int one = 5;           ///< comparisons with 1 % more work
  int two = 5;           ///< comparisons with 2 % more work
  int spins = 3;         ///< repeats of each spin
  double seconds = 1;    ///< budget of a comparison
  int others = 1 << 30;  ///< comparisons of each kind in which the other harnesses take part
  bool aisp_only = false;
  bool log = false;  ///< every verdict on stderr
};

// What aisp promises of a 100 us kernel on a noisy machine, in runs of 10 s.
constexpr int kEnoughComparisons = 50;
constexpr double kFalseAlarms = 0.085;    // share of equal pairs called different
constexpr double kLargestFalseAlarm = 2;  // per cent
constexpr double kDetected = 0.9;         // share of 2 % slow-downs called slower
constexpr double kUnanswered = 0.05;

using Sides = std::vector<std::unique_ptr<Side>>;

void table_of_spins(const Options& options, const Sides& sides) {
  std::printf(
      "\n| spin of | harness | reported, median | bias | spread (max - min) |\n|---|---|---|---|---|\n");
  for (const std::int64_t ns : {1'000, 10'000, 100'000, 1'000'000}) {
    std::vector<std::vector<double>> times(sides.size());
    for (int repeat = 0; repeat < options.spins; ++repeat) {
      for (std::size_t s = 0; s < sides.size(); ++s)
        times[s].push_back(sides[s]->time_of_spin(ns, options.seconds));
    }
    for (std::size_t s = 0; s < sides.size(); ++s) {
      const auto truth = static_cast<double>(ns);
      const double median = stats::median(times[s]);
      std::printf("| %g us | %s | %.4g us | %+.2f %% | %.2f %% |\n", truth / 1e3, sides[s]->name().c_str(),
                  median / 1e3, 100 * (median / truth - 1),
                  100 * (stats::maximum(times[s]) - stats::minimum(times[s])) / truth);
    }
    std::fflush(stdout);
  }
}

/// Compares the pair `count` times with each side in turn, so that all sides meet the same machine. False
/// when aisp, the first side, does not do what it promises; too few comparisons promise nothing.
bool rows_of_pairs(const char* what, const ChainPair& pair, int count, const Options& options,
                   const Sides& sides) {
  if (count == 0) return true;
  const double truth = static_cast<double>(pair.length) / static_cast<double>(pair.length + pair.extra);
  struct Tally {
    int called = 0, wrong_way = 0, unknown = 0;
    double largest_called = 0;
    std::vector<double> errors, seconds;
  };
  std::vector<Tally> tallies(sides.size());
  for (int i = 0; i < count; ++i) {
    for (std::size_t s = 0; s < sides.size(); ++s) {
      if (s > 0 && i >= options.others) continue;
      const Verdict verdict = sides[s]->compare(pair, options.seconds);
      Tally& tally = tallies[s];
      if (options.log) {
        std::fprintf(stderr, "%s %d: %s %.5f %s, %.2f s%s%s\n", what, i, sides[s]->name().c_str(),
                     verdict.ratio, verdict.called ? "called" : "not called", verdict.seconds,
                     verdict.remark.empty() ? "" : "; ", verdict.remark.c_str());
      }
      tally.seconds.push_back(verdict.seconds);
      if (!verdict.known) {
        ++tally.unknown;
        continue;
      }
      tally.errors.push_back(100 * std::fabs(verdict.ratio / truth - 1));
      if (!verdict.called) continue;
      ++tally.called;
      if (pair.extra > 0 && verdict.ratio > 1) ++tally.wrong_way;
      tally.largest_called = std::max(tally.largest_called, 100 * std::fabs(verdict.ratio - 1));
    }
  }
  for (std::size_t s = 0; s < sides.size(); ++s) {
    const Tally& t = tallies[s];
    std::printf("| %s | %s | %d of %d | %.2f %% | %d | %d | %.2f %% | %.2f %% | %.2f s |\n", what,
                sides[s]->name().c_str(), t.called, static_cast<int>(t.seconds.size()), t.largest_called,
                t.wrong_way, t.unknown, stats::median(t.errors), stats::maximum(t.errors),
                stats::mean(t.seconds));
  }
  std::fflush(stdout);
  const Tally& own = tallies.front();
  if (own.unknown > kUnanswered * count) return false;  // what was not measured proves nothing
  if (count < kEnoughComparisons || pair.extra == pair.length / 100) return true;
  if (pair.extra == 0) return own.called <= kFalseAlarms * count && own.largest_called <= kLargestFalseAlarm;
  return own.called - own.wrong_way >= kDetected * count;
}

int run(const Options& options) {
  Sides sides;
  sides.push_back(make_aisp_side());
  if (!options.aisp_only) {
    sides.push_back(make_google_side(false));
    sides.push_back(make_google_side(true));
  }
  const std::int64_t length = chain_length(100e3);
  std::printf("Chain of %lld links, about 100 us; %g s per comparison.\n", static_cast<long long>(length),
              options.seconds);
  if (options.spins > 0) table_of_spins(options, sides);
  std::printf(
      "\n| pair | harness | called different | largest called | wrong way | no verdict | error of the ratio, "
      "median | "
      "worst | time to a verdict |\n|---|---|---|---|---|---|---|---|---|\n");
  bool kept = rows_of_pairs("equal", {length, 0}, options.equal, options, sides);
  kept = rows_of_pairs("1 % slower", {length, length / 100}, options.one, options, sides) && kept;
  kept = rows_of_pairs("2 % slower", {length, length / 50}, options.two, options, sides) && kept;
  if (!kept) std::fprintf(stderr, "harness_accuracy: aisp does not keep its promises here\n");
  return kept ? 0 : 1;
}

int worker(int argc, char** argv) {
  harness::WorkerOptions options;
  for (int i = 2; i + 1 < argc; i += 2) {
    const std::string flag = argv[i];
    if (flag == "--fd") options.fd = std::atoi(argv[i + 1]);
    if (flag == "--memory-limit") options.memory_limit_bytes = std::atof(argv[i + 1]);
  }
  return harness::run_worker(options);
}

}  // namespace
}  // namespace aisp::benchmarks

int main(int argc, char** argv) {
  using namespace aisp::benchmarks;
  if (argc > 1 && std::string(argv[1]) == "worker") return worker(argc, argv);
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    const auto number = [&](auto& value) {
      if (flag.size() < 3 || i + 1 >= argc) return;
      value = static_cast<std::remove_reference_t<decltype(value)>>(std::atof(argv[++i]));
    };
    if (flag == "--equal") {
      number(options.equal);
    } else if (flag == "--one") {
      number(options.one);
    } else if (flag == "--two") {
      number(options.two);
    } else if (flag == "--spins") {
      number(options.spins);
    } else if (flag == "--seconds") {
      number(options.seconds);
    } else if (flag == "--others") {
      number(options.others);
    } else if (flag == "--aisp-only") {
      options.aisp_only = true;
    } else if (flag == "--log") {
      options.log = true;
    } else {
      std::fprintf(stderr,
                   "unknown option %s\nusage: harness_accuracy [--equal N] [--one N] [--two N] [--spins N] "
                   "[--seconds S] [--others N] [--aisp-only] [--log]\n",
                   flag.c_str());
      return 2;
    }
  }
  return run(options);
}
