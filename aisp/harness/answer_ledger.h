// SPDX-License-Identifier: Apache-2.0
/// \file
/// Keeps the evidence about one variant's answers: what the tensors showed after a call, what the checker
/// said about them, and what kind of wrong it is (unwritten, stale, constant, not finite).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "aisp/core/checker.h"
#include "aisp/core/evidence.h"
#include "aisp/core/workload.h"
#include "aisp/device/gpu/gpu_data.h"
#include "aisp/harness/tensor_set.h"

namespace aisp::harness {

/// The workload's own check where its reference is too slow at this size, else the reference.
std::unique_ptr<AnswerChecker> make_checker(const Workload& workload, const CheckSetup& setup);

/// All that is known about one answer, wherever it lies.
struct Inspection {
  Damage damage;
  CheckOutcome outcome;
  double miss_probability = 0;
  device::Looks looks;  ///< of a wrong answer
  std::uint64_t checksum = 0;
};

/// Of an answer in the host's memory.
Inspection inspect_answer(const TensorSet& set, const AnswerChecker& checker);

class AnswerLedger {
 public:
  /// Records the answer in `set`, the set'th of its window. Returns false when an input was changed, so that
  /// the caller can draw it again before the next variant sees it.
  bool record(const TensorSet& set, std::size_t index, const AnswerChecker& checker) {
    return record(inspect_answer(set, checker), index);
  }
  bool record(const Inspection& answer, std::size_t index);
  AnswerEvidence& evidence() { return evidence_; }
  const AnswerEvidence& evidence() const { return evidence_; }

 private:
  void classify(const Inspection& answer, std::size_t index);

  AnswerEvidence evidence_;
  std::vector<std::uint64_t> previous_;  ///< checksum of the last answer in each set
};

}  // namespace aisp::harness
