// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the experiment asks of a harness: the time of one kernel, and a verdict on a pair of them, each
/// within a time budget. One implementation per harness; nothing here knows which is which.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace aisp::benchmarks {

/// A pair of chains: `length` links against `length + extra`.
struct ChainPair {
  std::int64_t length = 0;
  std::int64_t extra = 0;
};

struct Verdict {
  double ratio = 1;     ///< time of the first over time of the second, as the harness reports it
  bool called = false;  ///< the harness says that they differ
  double seconds = 0;   ///< until it said so, set-up included
  bool known = true;    ///< false: the harness gave no answer
  std::string remark;
};

class Side {
 public:
  virtual ~Side() = default;
  virtual std::string name() const = 0;
  /// Nanoseconds per call that the harness reports for spin(ns).
  virtual double time_of_spin(std::int64_t ns, double budget_seconds) = 0;
  virtual Verdict compare(const ChainPair& pair, double budget_seconds) = 0;
};

std::unique_ptr<Side> make_aisp_side();
/// Repetitions one after the other, or with the repetitions of both benchmarks randomly interleaved.
std::unique_ptr<Side> make_google_side(bool interleaved);

}  // namespace aisp::benchmarks
