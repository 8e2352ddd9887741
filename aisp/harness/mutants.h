// SPDX-License-Identifier: Apache-2.0
/// \file
/// Wrong answers made from right ones. Each is something a broken or dishonest variant really produces.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "aisp/core/checker.h"
#include "aisp/core/problem.h"

namespace aisp::harness {

struct MutationContext {
  const TensorSpec& spec;
  const TensorView& answer;  ///< holds the right answer; to be changed
  std::size_t output = 0;    ///< its index among the outputs
  std::span<const TensorView> inputs;
  const std::vector<std::byte>& stale;  ///< the right answer for other inputs
  const AnswerChecker& checker;
};

struct Mutant {
  std::string name;
  /// Changes the answer, or says why it does not apply here. A mutation that happens to leave the answer
  /// right (the mean of a constant output) is not applied.
  std::function<std::optional<std::string>(const MutationContext&)> apply;
};

const std::vector<Mutant>& mutants();

}  // namespace aisp::harness
