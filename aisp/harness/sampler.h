// SPDX-License-Identifier: Apache-2.0
/// \file
/// The worker's half of the method: draws a round's inputs, samples every variant in random balanced order,
/// checks every answer, and keeps the evidence. Lives in the worker process; the coordinator never calls
/// workload code.
///
///   auto sampler = Sampler::open(workload, spec, announce);
///   RoundReport report = (*sampler)->round(0);
///   Closing closing = (*sampler)->close();
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "aisp/core/evidence.h"
#include "aisp/core/fields.h"
#include "aisp/core/result.h"
#include "aisp/core/workload.h"
#include "aisp/harness/cell.h"

namespace aisp::harness {

/// A variant as this worker found it.
struct OpenedVariant {
  std::string name;
  Rung rung = Rung::step;
  std::string note;
  std::string skipped;     ///< why it cannot run here; empty = ready
  double estimate_ns = 0;  ///< of one call, from the warm-up
  double prepare_ns = 0;
  int every = 1;  ///< sampled every k-th round
  AISP_FIELDS(name, rung, note, skipped, estimate_ns, prepare_ns, every)
};

struct Opened {
  std::string title;
  Shape shape = Shape::call;
  Goal goal = Goal::speed;
  Bound bound = Bound::memory;
  double tensor_bytes = 0;  ///< one set
  double work_bytes = 0, work_flops = 0, work_items = 0;
  std::string math;     ///< type whose peak bounds the flops
  std::string traffic;  ///< kind of bandwidth that bounds the bytes
  int calls = 1;        ///< per timed window
  int families = 0;
  double round_ns = 0;  ///< estimate of one round, checking included
  double latency_objective_ns = 0;
  std::string paired_ceiling;  ///< what is measured beside the variants; empty: nothing
  double paired_bytes = 0;     ///< that one call of it moves
  std::string seed_commitment;
  std::vector<OpenedVariant> variants;
  AISP_FIELDS(title, shape, goal, bound, tensor_bytes, work_bytes, work_flops, work_items, math, traffic,
              calls, families, round_ns, latency_objective_ns, paired_ceiling, paired_bytes, seed_commitment,
              variants)
};

/// One timed window of one variant.
struct SlotReport {
  std::string variant;  ///< empty: the paired ceiling
  bool again = false;   ///< a second sample of the same, for the A/A calibration
  double ns = 0;        ///< per call
  int calls = 1;
  std::vector<double> items;
  AISP_FIELDS(variant, again, ns, calls, items)
};

struct RoundReport {
  int round = 0;
  int family = 0;
  int mirrored = 0;
  std::string discarded;          ///< the declared state rule that discards it; empty = kept
  std::vector<SlotReport> slots;  ///< in the order they were sampled
  AISP_FIELDS(round, family, mirrored, discarded, slots)
};

struct ClosedVariant {
  std::string name;
  Evidence evidence;
  std::vector<std::pair<std::string, double>> metrics;  ///< mean over the windows
  AISP_FIELDS(name, evidence, metrics)
};

struct Closing {
  std::string seed;
  std::vector<ClosedVariant> variants;
  AISP_FIELDS(seed, variants)
};

class Sampler {
 public:
  /// Called before a variant's code runs, so that a crash can be attributed.
  using Announce = std::function<void(const std::string& variant)>;

  /// Allocates, prepares and warms up. Refuses sizes that do not fit free memory before allocating.
  static Result<std::unique_ptr<Sampler>> open(const Workload& workload, const CellSpec& spec,
                                               Announce announce);
  virtual ~Sampler() = default;

  virtual const Opened& opened() const = 0;
  virtual RoundReport round(int index) = 0;
  virtual Closing close() = 0;
};

}  // namespace aisp::harness
