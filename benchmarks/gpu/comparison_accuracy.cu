// SPDX-License-Identifier: Apache-2.0
// aisp's comparisons on a GPU against kernels of known length: how often equal ones are called different, and
// how often half a per cent more of 50 us is found. Measured by the same coordinator, workers and statistics
// as `aisp run`; this program is its own worker.
//   usage: comparison_accuracy [--equal N] [--longer N] [--permille P] [--log]
// Exit code 1 when a target is missed.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "aisp/core/registry.h"
#include "aisp/device/cuda/cuda_error.h"
#include "aisp/device/cuda/global_timer.cuh"
#include "aisp/harness/coordinator.h"
#include "aisp/harness/worker.h"

namespace aisp::benchmarks {
namespace {

constexpr std::int64_t kElements = 1 << 16;
constexpr std::int64_t kLength = 50000;

// Targets, in proportion where another number is run. At the 5 % that intervals allow, 10 of 200 equal pairs
// are to be expected, and more than 17 come by chance in one experiment of eighty.
constexpr int kEqualRuns = 200, kMostCalled = 17;
constexpr int kMostUnanswered = 10;  // of the equal pairs: what was not measured proves nothing
// A missed one may be bad luck; one without a ratio, or called faster, was not found either.
constexpr int kLongerRuns = 40, kLeastFound = 38;

/// y = x + 1 by the first blocks, and every block spins until its time is over.
__global__ void timed_work(const std::int64_t* x, std::int64_t* y, std::int64_t n, std::uint64_t ns) {
  const std::uint64_t start = cuda::global_timer();
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < n;
       i += std::int64_t{gridDim.x} * blockDim.x)
    y[i] = x[i] + 1;
  while (cuda::global_timer() - start < ns) {
  }
}

struct Length {
  std::uint64_t ns = 0;
};

void spin_for(const Call& call) {
  const auto x = call.input<std::int64_t>(0);
  timed_work<<<132, 256, 0, static_cast<cudaStream_t>(call.stream())>>>(
      x.data, call.output<std::int64_t>(0).data, x.size, call.plan<Length>().ns);
  cuda::check_launch("spinning");
}

std::shared_ptr<void> base_length(const Setup&) { return std::make_shared<Length>(Length{kLength}); }
/// Beyond the base by so many thousandths.
std::shared_ptr<void> other_length(const Setup& setup) {
  return std::make_shared<Length>(
      Length{static_cast<std::uint64_t>(kLength + kLength * setup.params["permille"] / 1000)});
}

Problem problem(const Params&) {
  return {.tensors = {input<std::int64_t>("x", {kElements}, {integers(0, 1 << 30), integers(0, 1ll << 50)}),
                      output<std::int64_t>("y", {kElements}, exact())}};
}
void reference(const ReferenceCall& call) {
  const auto x = call.input<std::int64_t>(0);
  for (std::int64_t i = 0; i < x.size; ++i)
    call.outputs[0].value[static_cast<std::size_t>(i)] = static_cast<double>(x[i] + 1);
}
__global__ void add_one(const std::int64_t* x, double* y, std::int64_t n) {
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < n;
       i += std::int64_t{gridDim.x} * blockDim.x)
    y[i] = static_cast<double>(x[i] + 1);
}
void reference_on_device(const DeviceReferenceCall& call) {
  const auto x = call.input<std::int64_t>(0);
  add_one<<<132, 256, 0, static_cast<cudaStream_t>(call.stream)>>>(x.data, call.outputs[0].value, x.size);
}

const Registration registered{
    {.id = "accuracy/gpu",
     .title = "Spin",
     .idea = "A kernel of known length against one of another.",
     .bound = Bound::latency,
     .device = DeviceKind::cuda,
     .axes = {{.name = "permille", .values = {0}, .least = 0}},
     .problem = problem,
     .reference = reference,
     .device_reference = reference_on_device,
     .variants = {{.name = "base", .run = CallFunction(spin_for), .prepare = base_length},
                  {.name = "other", .run = CallFunction(spin_for), .prepare = other_length}}}};

struct Tally {
  int runs = 0, called = 0, slower = 0, unknown = 0;
  double largest = 0;  ///< difference that was called
  double seconds = 0;
  std::vector<double> ratios;
};

Tally compare(int runs, std::int64_t permille, double seconds, bool log) {
  Tally tally;
  const harness::WorkloadInfo workload = harness::describe(*Registry::instance().find("accuracy/gpu"));
  const harness::PlannedCell cell{workload, Params{{"permille", permille}}};
  const Ceilings none;
  RunConfig config;
  config.device = "cuda:0";
  config.cache = CacheMode::cold;
  config.cell_seconds = seconds;
  config.precision = 0.0005;
  config.audit = false;  // of the comparison, not of the kernels
  for (int i = 0; i < runs; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const Result<CellResult> result =
        harness::measure_cell({.cell = cell, .config = config, .ceilings = none, .config_hash = "accuracy"});
    tally.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ++tally.runs;
    const VariantResult* other = result ? result->find("other") : nullptr;
    if (other == nullptr || !other->speedup) {
      ++tally.unknown;
      if (log) std::printf("# no ratio: %s\n", result ? "" : result.error().message.c_str());
      continue;
    }
    const RatioEstimate& ratio = *other->speedup;
    const bool called = ratio.outcome == Outcome::faster || ratio.outcome == Outcome::slower;
    tally.ratios.push_back(ratio.ratio);
    tally.slower += ratio.outcome == Outcome::slower;
    if (called) {
      ++tally.called;
      tally.largest = std::max(tally.largest, std::fabs(ratio.ratio - 1));
    }
    if (!log) continue;
    std::printf("# %lld permille: %.5f [%.5f, %.5f] %d rounds, %s%s\n", static_cast<long long>(permille),
                ratio.ratio, ratio.low, ratio.high, ratio.rounds, ratio.method.c_str(),
                called ? ", called" : "");
    for (const VariantResult& v : result->variants) {
      for (const Finding& f : v.findings)
        if (f.level == Level::reject)
          std::printf("#   %s: %s: %s\n", v.name.c_str(), f.guard.c_str(), f.because.c_str());
    }
    std::fflush(stdout);
  }
  return tally;
}

void print(const char* what, const Tally& tally) {
  std::printf("| %s | %d | %d | %.3f %% | %d | %.1f s |\n", what, tally.runs, tally.called,
              100 * tally.largest, tally.unknown, tally.seconds / std::max(tally.runs, 1));
  std::fflush(stdout);
}

/// A line for each target that was missed; how many were.
int missed_targets(const Tally& equal, const Tally& longer) {
  int missed = 0;
  const auto judge = [&missed](bool met, const char* what, int count, int runs, const char* limit, int of,
                               int all) {
    if (met) return;
    ++missed;
    std::printf("missed: %s: %d of %d, %s %d of %d\n", what, count, runs, limit, of, all);
  };
  judge(equal.called * kEqualRuns <= kMostCalled * equal.runs, "equal kernels called different", equal.called,
        equal.runs, "at most", kMostCalled, kEqualRuns);
  judge(equal.unknown * kEqualRuns <= kMostUnanswered * equal.runs, "equal kernels without a ratio",
        equal.unknown, equal.runs, "at most", kMostUnanswered, kEqualRuns);
  judge(longer.slower * kLongerRuns >= kLeastFound * longer.runs, "slow-downs called slower", longer.slower,
        longer.runs, "at least", kLeastFound, kLongerRuns);
  return missed;
}

int worker(int argc, char** argv) {
  harness::WorkerOptions options;
  for (int i = 2; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--fd") == 0) options.fd = std::atoi(argv[i + 1]);
  }
  return harness::run_worker(options);
}

int run(int argc, char** argv) {
  int equal = kEqualRuns, longer = kLongerRuns;
  std::int64_t permille = 5;
  bool log = false;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    if (flag == "--log") log = true;
    if (i + 1 >= argc) continue;
    if (flag == "--equal") equal = std::atoi(argv[++i]);
    if (flag == "--longer") longer = std::atoi(argv[++i]);
    if (flag == "--permille") permille = std::atoi(argv[++i]);
  }
  for (const std::string& problem : Registry::instance().problems()) std::printf("# %s\n", problem.c_str());
  if (Registry::instance().find("accuracy/gpu") == nullptr) return 70;
  std::printf(
      "| comparison | runs | called | largest called | no ratio | a run |\n|---|--:|--:|--:|--:|--:|\n");
  const Tally same = compare(equal, 0, 1, log);
  print("equal kernels of 50 us, 1 s", same);
  const Tally slowed = compare(longer, permille, 5, log);
  print("0.5 % longer, 5 s", slowed);
  return missed_targets(same, slowed) > 0 ? 1 : 0;
}

}  // namespace
}  // namespace aisp::benchmarks

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "worker") return aisp::benchmarks::worker(argc, argv);
  return aisp::benchmarks::run(argc, argv);
}
