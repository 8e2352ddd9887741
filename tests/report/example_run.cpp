// SPDX-License-Identifier: Apache-2.0
#include "tests/report/example_run.h"

#include <algorithm>
#include <cmath>

#include "aisp/core/rng.h"

// Long because every kind of cell is spelt out: a reader of a golden file should find the figure's origin
// here.
namespace aisp::report {
namespace {

constexpr int kAttempts = 3;
constexpr int kRounds = 48;

struct Noise {
  double sigma = 0.01;    ///< relative
  double drift = 0;       ///< relative, first to last round
  double slow_share = 0;  ///< part of the rounds in a second, slower mode
  std::uint64_t seed = 1;
};

/// Two decimals of a nanosecond, so that the last bit of a logarithm cannot change a golden file.
double rounded(double ns) { return std::round(ns * 100) / 100; }

Samples draw(double ns, const Noise& noise, int rounds = kRounds, int every = 1) {
  Rng rng(noise.seed);
  Samples samples;
  for (int round = 0; round < rounds; round += every) {
    const int attempt = round * kAttempts / std::max(rounds, 1);
    const bool slow = rng.unit() < noise.slow_share;
    for (int pass = 0; pass < 2; ++pass) {
      const double trend = 1 + noise.drift * round / rounds + 0.002 * (attempt + 1);
      const double value = ns * trend * std::exp(noise.sigma * rng.normal()) * (slow ? 1.06 : 1);
      samples.attempt.push_back(attempt);
      samples.round.push_back(round);
      samples.pass.push_back(pass);
      samples.calls.push_back(ns < 1e5 ? 16 : 1);
      samples.ns.push_back(rounded(value));
    }
  }
  return samples;
}

Estimate estimate(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t n = values.size();
  const auto reach = static_cast<std::size_t>(std::sqrt(static_cast<double>(n)));
  return {values[n / 2], values[n / 2 - std::min(n / 2, reach)], values[std::min(n - 1, n / 2 + reach)]};
}

VariantResult measured(std::string name, std::string note, double ns, const Noise& noise, int every = 1) {
  VariantResult v;
  v.name = std::move(name);
  v.note = std::move(note);
  v.every = every;
  v.samples = draw(ns, noise, kRounds, every);
  v.time_ns = estimate(v.samples.ns);
  v.figure = v.time_ns;
  v.memory.peak_bytes = 1536 * 1024;
  v.prepare_ns = 42000;
  v.validity = Validity::valid;
  v.evidence.answers.calls = v.evidence.answers.checked = v.samples.size();
  v.findings = {
      {.guard = "answers_right",
       .level = Level::pass,
       .because = "all " + std::to_string(v.samples.size()) + " answers are within 0.31 of the tolerance"},
      {.guard = "output_written", .level = Level::pass, .because = "no poison survived"},
      {.guard = "clock_fine_enough", .level = Level::pass, .because = "shortest window is 41000 clock steps"},
      {.guard = "frequency_steady",
       .level = Level::unknown,
       .because = "the hypervisor hides the governor",
       .hint = "run on bare metal to know"}};
  return v;
}

RatioEstimate ratio(std::string against, double value, double half_width, double region = 0.02) {
  RatioEstimate r{.against = std::move(against),
                  .ratio = value,
                  .low = value * (1 - half_width),
                  .high = value * (1 + half_width),
                  .confidence = 0.95,
                  .rounds = kRounds,
                  .method = "exact sign test over rounds, 3 of 5 looks"};
  const bool inside = r.low > 1 - region && r.high < 1 + region;
  r.outcome = r.low > 1    ? Outcome::faster
              : r.high < 1 ? Outcome::slower
              : inside     ? Outcome::equivalent
                           : Outcome::inconclusive;
  r.small = inside && r.outcome != Outcome::equivalent;
  return r;
}

CellResult cell(std::string workload, std::string title, std::string parameters) {
  CellResult c;
  c.workload = std::move(workload);
  c.title = std::move(title);
  c.parameters = std::move(parameters);
  c.stopped = "precise";
  c.started = "2026-11-15T14:23:04Z";
  c.finished = "2026-11-15T14:23:11Z";
  c.validity = Validity::valid;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    c.attempts.push_back({.attempt = attempt,
                          .status = "finished",
                          .started = "2026-11-15T14:23:0" + std::to_string(attempt + 1) + "Z",
                          .finished = "2026-11-15T14:23:0" + std::to_string(attempt + 3) + "Z",
                          .seed_commitment = "9f3ac1d2e4b5",
                          .seed = "51d0e7" + std::to_string(attempt + 1),
                          .rounds = kRounds / kAttempts});
  }
  for (int round = 0; round < kRounds; ++round) {
    c.rounds.push_back({.attempt = round * kAttempts / kRounds,
                        .round = round,
                        .family = round % 2,
                        .order = "",
                        .discarded = round == 17 ? "CPU quota throttled during the round" : ""});
  }
  c.aa = ratio("baseline", 0.9996, 0.0031);
  return c;
}

void add_against_baseline(CellResult& c, VariantResult variant, double speedup, double half_width) {
  variant.speedup = ratio(c.variants.front().name, speedup, half_width);
  c.variants.push_back(std::move(variant));
}

CellResult sgemm() {
  CellResult c = cell("ch09/sgemm", "Single-precision matrix multiply", "n=1024 threads=1");
  c.bound = Bound::compute;
  c.work_flops = 2.0 * 1024 * 1024 * 1024;
  c.variants.push_back(
      measured("naive", "three loops, row times column", 1.31e9, {.sigma = 0.02, .seed = 11}, 4));
  c.variants.back().percent_of_ceiling = 1.6;
  add_against_baseline(c, measured("blocked", "tiles that stay in L2", 2.2e8, {.sigma = 0.012, .seed = 12}),
                       5.96, 0.012);
  c.variants.back().percent_of_ceiling = 9.7;
  add_against_baseline(
      c, measured("packed", "packed panels, AVX2+FMA micro-kernel", 2.41e7, {.sigma = 0.006, .seed = 13}),
      54.31, 0.009);
  c.variants.back().percent_of_ceiling = 88.6;
  c.variants.back().of_anchor = ratio("openblas", 1.012, 0.004);
  c.variants.back().memory.peak_bytes = 2.6e6;
  VariantResult openblas =
      measured("openblas", "the better of its core types", 2.44e7, {.sigma = 0.007, .seed = 14});
  openblas.rung = Rung::anchor;
  openblas.setting = "OPENBLAS_CORETYPE=Zen";
  openblas.percent_of_ceiling = 87.5;
  add_against_baseline(c, std::move(openblas), 53.7, 0.009);
  VariantResult onednn;
  onednn.name = "onednn";
  onednn.rung = Rung::anchor;
  onednn.skipped = "libdnnl.so.3 was not found";
  c.variants.push_back(std::move(onednn));
  return c;
}

CellResult transpose() {
  CellResult c = cell("ch07/transpose", "Transpose", "n=4096 threads=1");
  c.work_bytes = 2.0 * 4096 * 4096 * 4;
  c.variants.push_back(
      measured("naive", "rows in, columns out", 1.92e8, {.sigma = 0.015, .slow_share = 0.3, .seed = 21}));
  c.variants.back().percent_of_ceiling = 7.1;
  add_against_baseline(
      c, measured("tiled", "32 x 32 tiles", 4.1e7, {.sigma = 0.01, .drift = 0.03, .seed = 22}), 4.68, 0.013);
  c.variants.back().percent_of_ceiling = 33;
  c.variants.back().findings.push_back({.guard = "no_drift",
                                        .level = Level::note,
                                        .because = "+2.9% from the first to the last tenth of the rounds"});
  add_against_baseline(
      c, measured("simd", "8 x 8 in registers, streaming stores", 1.74e7, {.sigma = 0.01, .seed = 23}), 11.03,
      0.015);
  c.variants.back().percent_of_ceiling = 78;
  VariantResult info = measured("recursive", "cache-oblivious halving", 5.6e7, {.sigma = 0.02, .seed = 24});
  info.rung = Rung::informational;
  add_against_baseline(c, std::move(info), 3.43, 0.02);
  return c;
}

CellResult pair_of(std::string workload, std::string size, double ns, double speedup, double half_width,
                   double sigma) {
  CellResult c = cell(std::move(workload), "", std::move(size));
  c.variants.push_back(measured("scalar", "one accumulator", ns, {.sigma = sigma, .seed = 31}));
  add_against_baseline(c,
                       measured("unrolled", "four accumulators", ns / speedup, {.sigma = sigma, .seed = 32}),
                       speedup, half_width);
  for (VariantResult& v : c.variants) v.percent_of_ceiling = 64;
  return c;
}

CellResult rejected() {
  CellResult c = cell("mine/fast_softmax", "Softmax from a plugin", "rows=4096 cols=1024");
  c.variants.push_back(measured("libm", "expf per element", 2.9e7, {.sigma = 0.01, .seed = 41}));
  add_against_baseline(c, measured("cached", "skips rows it has seen", 7.1e5, {.sigma = 0.05, .seed = 42}),
                       40.9, 0.05);
  VariantResult& v = c.variants.back();
  v.validity = c.validity = Validity::invalid;
  v.evidence.answers.unwritten = 88;
  v.findings[1] = {.guard = "output_written",
                   .level = Level::reject,
                   .because = "88 of 96 calls left poison in y, first at element 1024",
                   .hint = "write every element on every call"};
  v.findings.push_back({.guard = "faster_than_floor",
                        .level = Level::reject,
                        .because = "0.71 ms is below the 1.9 ms that 33.6 MB need at the measured 17.7 GB/s",
                        .hint = "some of the work was not done"});
  return c;
}

CellResult crashed() {
  CellResult c = cell("ch02/false_sharing", "False sharing", "counters=8 threads=2");
  c.variants.push_back(measured("shared_line", "neighbouring counters", 8.1e5, {.sigma = 0.04, .seed = 51}));
  VariantResult v;
  v.name = "padded";
  v.note = "one cache line each";
  v.validity = c.validity = Validity::failed;
  c.variants.push_back(std::move(v));
  c.stopped = "failed";
  for (int i = 0; i < 2; ++i) {
    c.attempts[static_cast<std::size_t>(i)].status = "crashed";
    c.attempts[static_cast<std::size_t>(i)].variant = "padded";
    c.attempts[static_cast<std::size_t>(i)].detail =
        "SIGSEGV in variant 'padded'\nstderr: <b>free(): invalid pointer</b>";
  }
  return c;
}

CellResult checkpoint() {
  CellResult c = cell("ch13/activation_checkpoint", "Activation checkpointing", "layers=16 width=512");
  c.goal = Goal::memory;
  c.variants.push_back(measured("keep_all", "every activation is kept", 8.8e6, {.sigma = 0.01, .seed = 61}));
  c.variants.back().memory = {
      .peak_bytes = 0x1p25, .current_bytes = 0, .reserved_bytes = 0x1p25, .savings_percent = 0};
  add_against_baseline(c,
                       measured("sqrt_layers", "keeps every fourth, computes the rest again", 1.17e7,
                                {.sigma = 0.01, .seed = 62}),
                       3.2, 0);
  c.variants.back().memory = {
      .peak_bytes = 0x1p25 / 3.2, .current_bytes = 0, .reserved_bytes = 0x1p25 / 3, .savings_percent = 68.75};
  for (VariantResult& v : c.variants)
    v.figure = Estimate{*v.memory.peak_bytes, *v.memory.peak_bytes, *v.memory.peak_bytes};
  return c;
}

CellResult serving() {
  CellResult c = cell("ch16/continuous_batching", "Continuous batching", "requests=64 rate=200");
  c.shape = Shape::trace;
  c.goal = Goal::latency;
  c.bound = Bound::latency;
  const double means[] = {9.5e6, 3.1e6};
  for (int i = 0; i < 2; ++i) {
    VariantResult v = measured(
        i == 0 ? "one_by_one" : "continuous", i == 0 ? "each request alone" : "joins the running batch",
        i == 0 ? 3.9e8 : 3.3e8, {.sigma = 0.01, .seed = 71u + static_cast<unsigned>(i)});
    Rng rng(73u + static_cast<unsigned>(i));
    std::vector<double> p99;
    for (std::size_t s = 0; s < v.samples.size(); ++s) {
      std::vector<double> items;
      for (int k = 0; k < 16; ++k) items.push_back(rounded(means[i] * std::exp(0.4 * rng.normal())));
      p99.push_back(*std::ranges::max_element(items));
      v.samples.items.push_back(std::move(items));
    }
    v.figure = estimate(p99);
    v.metrics = {{"tokens_per_second", i == 0 ? 1840.0 : 5630.0}, {"batch_mean", i == 0 ? 1.0 : 6.37}};
    if (i == 0) {
      c.variants.push_back(std::move(v));
    } else {
      add_against_baseline(c, std::move(v), 3.07, 0.06);
    }
  }
  return c;
}

CellResult unproven() {
  CellResult c = pair_of("ch08/compaction", "n=1048576 keep=50", 1.1e6, 2.4, 0.02, 0.015);
  VariantResult& v = c.variants.back();
  v.validity = c.validity = Validity::unproven;
  v.findings.insert(v.findings.begin(), {.guard = "threads_at_rest",
                                         .level = Level::unknown,
                                         .because = "/proc/self/task could not be read",
                                         .hint = "mount /proc in the container"});
  return c;
}

}  // namespace

RunRecord example_run() {
  RunRecord run;
  run.id = "20261115-142301-9f3a";
  run.started = "2026-11-15T14:23:01Z";
  run.finished = "2026-11-15T14:25:44Z";
  run.status = "finished";
  run.manifest.version = "0.1.0";
  run.manifest.command = "aisp run ch02 ch07 ch08 ch09 ch13 ch16 --plugin ./libmine.so";
  run.manifest.hardware = "AMD EPYC 7B13, 2 cores, 7.8 GiB";
  run.manifest.config_hash = "c0ffee1234567890c0ffee1234567890c0ffee1234567890c0ffee1234567890";
  run.manifest.config.targets = {"ch09/sgemm", "ch07/transpose"};
  run.manifest.facts = {{"host", "bench-7"},
                        {"kernel", "6.1.0-28-amd64"},
                        {"cpu hardware threads", "4"},
                        {"cache L1", "32 KiB x 2, line 64 bytes"},
                        {"cache L3", "32768 KiB x 1, line 64 bytes"},
                        {"clock", "tsc at 2449.9 MHz"},
                        {"governor", std::nullopt},
                        {"compiler", "g++ 12.2.0 -O3 -march=x86-64"},
                        {"git", "1a2b3c4 (clean)"}};
  run.cells = {sgemm(),
               transpose(),
               pair_of("ch07/reduction", "n=16777216 threads=1", 2.13e6, 1.0012, 0.006, 0.01),
               pair_of("ch08/histogram", "n=1048576 bins=256", 7.3e5, 1.021, 0.035, 0.06),
               rejected(),
               crashed(),
               checkpoint(),
               serving(),
               unproven()};
  return run;
}

RunRecord hostile_run() {
  RunRecord run = example_run();
  run.manifest.command = run.manifest.hardware = kHostileName;
  run.manifest.facts.push_back({kHostileName, kHostileText});
  for (CellResult& c : run.cells) {
    c.workload = c.title = c.parameters = c.device = kHostileName;
    c.stopped = kHostileText;
    for (AttemptRecord& a : c.attempts) a.detail = a.variant = a.seed = a.status = kHostileText;
    for (RoundRecord& r : c.rounds) r.order = r.discarded = kHostileText;
    for (VariantResult& v : c.variants) {
      v.name = v.note = v.setting = v.ceiling = kHostileName;
      if (!v.skipped.empty()) v.skipped = kHostileText;
      v.metrics.emplace_back(kHostileName, 1.5);
      v.evidence.answers.first_wrong = kHostileText;
      for (Finding& f : v.findings) f.guard = f.because = f.hint = kHostileText;
    }
  }
  return run;
}

}  // namespace aisp::report
