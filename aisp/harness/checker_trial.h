// SPDX-License-Identifier: Apache-2.0
/// \file
/// The checker on trial: every mutant of a right answer is put before it.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "aisp/core/checker.h"
#include "aisp/harness/tensor_set.h"
#include "aisp/harness/verify.h"

namespace aisp::harness {

using Answers = std::vector<std::vector<std::byte>>;  ///< one for each output

Answers copy_outputs(const TensorSet& set);

struct CheckerTrial {
  const Problem& problem;
  const TensorSet& set;  ///< whose outputs are changed, and put back
  const AnswerChecker& checker;
  const Answers& right;
  const Answers& stale;
  /// A second checker, asked about what lies in the set: both must reject.
  std::function<bool()> also_rejects = {};
};

/// Adds one entry for each mutant of each output.
void try_checker(const CheckerTrial& trial, std::vector<MutantCheck>& results);

}  // namespace aisp::harness
