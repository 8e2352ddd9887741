// SPDX-License-Identifier: Apache-2.0
/// \file
/// Keeps the evidence about one variant's answers: inspects the tensor set after a call, asks the checker,
/// and classifies what is wrong (unwritten, stale, constant, not finite).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "aisp/core/checker.h"
#include "aisp/core/evidence.h"
#include "aisp/core/workload.h"
#include "aisp/harness/tensor_set.h"

namespace aisp::harness {

/// The workload's own check where its reference is too slow at this size, else the reference.
std::unique_ptr<AnswerChecker> make_checker(const Workload& workload, const CheckSetup& setup);

class AnswerLedger {
 public:
  /// Records the answer in `set`, the set'th of its window. Returns false when an input was changed, so that
  /// the caller can draw it again before the next variant sees it.
  bool record(const TensorSet& set, std::size_t index, const AnswerChecker& checker);
  AnswerEvidence& evidence() { return evidence_; }
  const AnswerEvidence& evidence() const { return evidence_; }

 private:
  void classify(const TensorSet& set, std::size_t index, const Damage& damage, const CheckOutcome& outcome);

  AnswerEvidence evidence_;
  std::vector<std::uint64_t> previous_;  ///< checksum of the last answer in each set
};

}  // namespace aisp::harness
