// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a run leaves behind. A Run is its manifest and its cells; a Cell is one workload at one size on one
/// device: its attempts, every raw sample, the evidence, what the guards found, and the verdicts derived from
/// them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "aisp/core/call.h"
#include "aisp/core/config.h"
#include "aisp/core/evidence.h"
#include "aisp/core/fields.h"
#include "aisp/core/verdict.h"
#include "aisp/core/workload.h"

namespace aisp {

/// A value with its confidence interval.
struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
  AISP_FIELDS(value, low, high)
};

/// A ratio of two variants: above 1 means this variant needs less (time, memory) than the other.
struct RatioEstimate {
  std::string against;  ///< the other variant
  double ratio = 0;
  double low = 0;
  double high = 0;
  double confidence = 0;
  int rounds = 0;
  std::string method;  ///< how the interval was made
  Outcome outcome = Outcome::inconclusive;
  bool small = false;  ///< detected, but inside the region of practical equivalence
  AISP_FIELDS(against, ratio, low, high, confidence, rounds, method, outcome, small)
};

/// Every timed window of one variant, as columns.
struct Samples {
  std::vector<int> attempt;
  std::vector<int> round;                  ///< counted over all attempts
  std::vector<int> pass;                   ///< 0 on the way out, 1 on the way back
  std::vector<int> calls;                  ///< in the window
  std::vector<double> ns;                  ///< per call
  std::vector<std::vector<double>> items;  ///< trace, per-operation: latency of each item; else empty
  AISP_FIELDS(attempt, round, pass, calls, ns, items)
  std::size_t size() const { return ns.size(); }
  /// Attempt and round of window i; 0 where a record from elsewhere has fewer of them than windows.
  std::pair<int, int> place(std::size_t i) const;
};

/// What happened to one round; a discarded one keeps its samples and says which declared rule discarded it.
struct RoundRecord {
  int attempt = 0;
  int round = 0;
  int family = 0;
  std::string order;      ///< variants in the order they were sampled
  std::string discarded;  ///< empty = kept
  AISP_FIELDS(attempt, round, family, order, discarded)
};

struct AttemptRecord {
  int attempt = 0;
  std::string
      status;  ///< "finished", "crashed", "timed out", "exited", "out of memory", "too many threads", ...
  std::string detail;             ///< "SIGSEGV in variant 'tiled'", last lines of output
  std::string variant;            ///< the one that was running when it ended badly
  std::string started, finished;  ///< UTC, ISO 8601
  std::string seed_commitment;    ///< SHA-256 of the attempt's seed, sent before the first round
  std::string seed;               ///< revealed after the last
  int rounds = 0;
  AISP_FIELDS(attempt, status, detail, variant, started, finished, seed_commitment, seed, rounds)
};

/// Bytes a variant held, harness buffers excluded, from an attempt of its own.
struct MemoryFigures {
  std::optional<double> peak_bytes;
  std::optional<double> current_bytes;    ///< after the call
  std::optional<double> reserved_bytes;   ///< mapped by the allocator and not returned
  std::optional<double> savings_percent;  ///< of the baseline's peak; 0 where they are not told apart
  AISP_FIELDS(peak_bytes, current_bytes, reserved_bytes, savings_percent)
};

/// One fact about the machine or the program. An empty value means it could not be established.
struct Fact {
  std::string name;
  std::optional<std::string> value;
  AISP_FIELDS(name, value)
};

struct VariantResult {
  std::string name;
  Rung rung = Rung::step;
  std::string note;
  std::string skipped;  ///< why it did not run here; empty = it ran
  std::string setting;  ///< anchors: the winning setting of the search, "OPENBLAS_CORETYPE=Zen"
  int every = 1;        ///< sampled every k-th round
  Samples samples;
  std::optional<Estimate> time_ns;         ///< per call
  std::optional<Estimate> figure;          ///< what the goal compares (ns, items/s, bytes)
  std::optional<RatioEstimate> speedup;    ///< against the baseline
  std::optional<RatioEstimate> of_anchor;  ///< against the best anchor
  std::optional<double> percent_of_ceiling;
  std::string ceiling;
  std::optional<RatioEstimate> of_paired;  ///< bandwidth against the cell's paired ceiling
  MemoryFigures memory;                    ///< of the attempt with the median peak
  std::vector<double> memory_peaks;        ///< bytes, one for each memory attempt
  std::vector<std::pair<std::string, double>> metrics;
  /// What the device counted for one call, by name: "dram_read_bytes", "occupancy", and the share of cycles
  /// for each reason to wait, largest first: "stall: barrier". What was not counted is absent.
  std::vector<std::pair<std::string, double>> counters;
  std::optional<double> prepare_ns;
  Evidence evidence;
  std::vector<Finding> findings;
  Validity validity = Validity::unproven;
  AISP_FIELDS(name, rung, note, skipped, setting, every, samples, time_ns, figure, speedup, of_anchor,
              percent_of_ceiling, ceiling, of_paired, memory, memory_peaks, metrics, counters, prepare_ns,
              evidence, findings, validity)
};

/// A ceiling measured in the cell's own rounds, over its own tensors: what a variant is held to when the
/// machine of another minute is not the machine of this one.
struct PairedCeiling {
  std::string name;  ///< "read (avx2, 16 pages)"
  double bytes = 0;  ///< that one call moves
  Samples samples;
  AISP_FIELDS(name, bytes, samples)
};

struct CellResult {
  std::string workload;
  std::string title;
  std::string parameters;  ///< "n=1024 threads=1"
  std::string device = "cpu";
  Shape shape = Shape::call;
  Goal goal = Goal::speed;
  Bound bound = Bound::memory;
  CacheMode cache = CacheMode::hot;
  WorkerMode worker = WorkerMode::shared;
  double work_bytes = 0, work_flops = 0, work_items = 0;
  std::string started, finished;
  int look = 0;         ///< index of the look at which sampling stopped
  std::string stopped;  ///< "precise", "time", "looks", "failed", "interrupted", "refused", "skipped"
  std::vector<AttemptRecord> attempts;
  std::vector<RoundRecord> rounds;
  std::optional<RatioEstimate> aa;  ///< one variant against itself: the baseline, unless it is sampled rarely
  std::string aa_variant;           ///< which; empty in older records: the baseline
  Samples aa_samples;
  PairedCeiling paired;  ///< without samples where none was measured
  std::vector<VariantResult> variants;
  std::vector<Fact> libraries;             ///< loaded in its workers: path and build id
  Validity validity = Validity::unproven;  ///< the worst of its baseline and its best variant
  std::vector<std::string> notes;          ///< what could not be established or contained, and why
  AISP_FIELDS(workload, title, parameters, device, shape, goal, bound, cache, worker, work_bytes, work_flops,
              work_items, started, finished, look, stopped, attempts, rounds, aa, aa_variant, aa_samples,
              paired, variants, libraries, validity, notes)

  const VariantResult* find(std::string_view variant) const;
  /// Its variants were timed as graphs: figures apart, which belong to no series of plain calls.
  bool as_graphs() const;
  /// The variant of that name, added at the end if there is none.
  VariantResult& at(const std::string& variant);
  const VariantResult* baseline() const;
  /// Attempt and round of every round that was discarded, and why.
  std::map<std::pair<int, int>, std::string> discarded_rounds() const;
  /// The fastest believable step beyond the baseline by the goal's figure; nothing if there is none.
  const VariantResult* best() const;
};

/// Everything needed to repeat the run.
struct Manifest {
  int schema = 1;
  int method = 0;           ///< kMethod of the program that derived its verdicts; 0: before it was recorded
  std::string version;      ///< of aisp
  std::string command;      ///< as typed
  std::string hardware;     ///< key: CPU model, cores, memory; results are compared only within one key
  std::vector<Fact> facts;  ///< machine, kernel, program and plugins, compiler and flags, git state
  RunConfig config;
  std::string config_hash;
  AISP_FIELDS(schema, method, version, command, hardware, facts, config, config_hash)
};

struct RunRecord {
  std::string id;  ///< "20261115-142301-9f3a"
  std::string started, finished;
  std::string status;  ///< "running", "finished", "interrupted"
  Manifest manifest;
  std::vector<CellResult> cells;
  AISP_FIELDS(id, started, finished, status, manifest, cells)
};

}  // namespace aisp
