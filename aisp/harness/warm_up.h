// SPDX-License-Identifier: Apache-2.0
/// \file
/// The calls before a cell's first round: they warm a variant's plan, its pages and the branch predictor, and
/// estimate the time of a call. The shortest estimate of a cell decides how many calls the windows of all its
/// variants hold, so a variant that answers at once and wrongly must have no say: answers are looked at where
/// they would lengthen a batch.
///
///   WarmUp warm = warm_up(runner, {.sets = sets, .seed = seed, .checker = checker}, round);
///   if (!warm.wrong) fastest = std::min(fastest, warm.call_ns);
///
/// Not a check of the variant: it says nothing about long calls, and the timed answers are all checked
/// anyway.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "aisp/core/checker.h"
#include "aisp/harness/seed.h"
#include "aisp/harness/tensor_set.h"
#include "aisp/harness/variant_runner.h"

namespace aisp::harness {

struct WarmUpSetup {
  std::span<const std::unique_ptr<TensorSet>> sets;  ///< one
  const Seed& seed;
  /// Of the answers to a round's inputs, as they lie in the set. Runs the reference, so it is asked for only
  /// where it is needed.
  std::function<std::unique_ptr<AnswerChecker>(int round)> checker;
  double batched_below_ns = 0;  ///< shorter calls share a window; 0: calls are never batched
};

struct WarmUp {
  double call_ns = 0;         ///< the fastest, right or wrong: its windows will take that
  bool wrong = false;         ///< a call that would have decided about the batch was answered wrongly
  int reference_threads = 0;  ///< that the reference started and kept: none of the variant's
};

/// `round` numbers the inputs, and is left at the first number not used.
WarmUp warm_up(VariantRunner& runner, const WarmUpSetup& setup, int& round);

}  // namespace aisp::harness
