// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which measured variants would do, under constraints: so much memory, so much time a call, so much error.
///
///   Wish wish{.latency_ns = 1e8, .memory_bytes = 24 * kGiB};
///   for (const Options& each : what_if(figures, wish)) each.candidates;   // those that meet it first
///
/// A constraint is met when the whole interval meets it. Limits are absolute, so each variant is held to them
/// by its own latest result, of whatever run; the answer says where these are several. Where a size is asked
/// for that was not measured, a model of the sweep answers with its error (model.h), or says what it needs.
/// What is not known never counts as met.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "aisp/analysis/contest.h"

namespace aisp::analysis {

struct Wish {
  std::optional<double> latency_ns;    ///< of a call; of the 99th percentile where latency is the goal
  std::optional<double> memory_bytes;  ///< for the variant and its tensors
  std::optional<double> max_error;     ///< as a multiple of the tolerance; two digits count
  std::vector<std::pair<std::string, std::int64_t>> size;  ///< parameters; empty: as measured
};

/// One constraint and what is known about it.
struct Check {
  std::string what;  ///< "latency", "memory", "error"
  double limit = 0;
  std::string unit;  ///< of the limit and the value: "ns", "bytes", "x tolerance"
  std::optional<Estimate> value;
  std::string state;  ///< "met", "not met", "undecided" (the interval holds the limit), "unknown"
  AISP_FIELDS(what, limit, unit, value, state)
};

struct Candidate {
  std::string variant;
  bool anchor = false;
  std::optional<Estimate> time_ns;     ///< what the latency constraint looks at
  std::optional<double> memory_bytes;  ///< see footprint(); of a model the upper end
  std::optional<double> worst_error;   ///< as a multiple of the tolerance
  std::string run = {};                ///< where it was measured; none for a model, which is of several
  bool modelled = false;
  std::string model;  ///< "a x^b, off by at most 1.08x at sizes kept from it"
  std::vector<Check> checks;
  std::string verdict;      ///< "meets", "fails", "cannot tell"
  std::string needs;        ///< where it cannot be told
  std::optional<int> rank;  ///< by time among those that meet; equal ones are ties
  AISP_FIELDS(variant, anchor, time_ns, memory_bytes, worst_error, run, modelled, model, checks, verdict,
              needs, rank)
};

/// What there is to choose from for one workload at one size on one device.
struct Options {
  Where where;
  std::vector<Candidate> candidates;  ///< those that meet the wish by rank, then the others by time
  std::vector<LeftOut> left_out;
  /// That nothing was asked for; where candidates are of several runs: what that means for their ranks.
  std::string note = {};
  AISP_FIELDS(where, candidates, left_out, note)
};

std::vector<Options> what_if(std::span<const Figure> figures, const Wish& wish);

/// At most: what the variant held, and the bytes that its declared work reads and writes in place of its
/// tensors' own, which are not recorded; one that is updated in place counts twice. Nothing where its memory
/// was not measured.
std::optional<double> footprint(const Figure& figure);

}  // namespace aisp::analysis
