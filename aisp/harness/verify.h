// SPDX-License-Identifier: Apache-2.0
/// \file
/// Answers only, no timing: runs every variant of a workload at a size, and tests the checker itself by
/// feeding it wrong answers (mutants). A checker that accepts one of them cannot be trusted with real ones.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "aisp/core/evidence.h"
#include "aisp/core/fields.h"
#include "aisp/core/result.h"
#include "aisp/core/workload.h"
#include "aisp/harness/cell.h"

namespace aisp::harness {

struct VariantCheck {
  std::string variant;
  std::string skipped;
  std::string problem;     ///< what was wrong, with the first wrong element; empty = right in every round
  double worst_error = 0;  ///< as a multiple of the tolerance
  AISP_FIELDS(variant, skipped, problem, worst_error)
};

struct MutantCheck {
  std::string mutant;
  std::string output;  ///< tensor it was applied to
  bool rejected = false;
  std::string skipped;  ///< why it does not apply (no float output, fewer than two elements...)
  AISP_FIELDS(mutant, output, rejected, skipped)
};

struct Verification {
  std::string workload, parameters;
  int rounds = 0;
  std::vector<VariantCheck> variants;
  std::vector<MutantCheck> mutants;
  AISP_FIELDS(workload, parameters, rounds, variants, mutants)

  bool passed() const;
  bool skipped() const;  ///< no variant can run here: neither right nor wrong
};

/// What the answers of so many rounds showed, in words.
void describe_answers(const AnswerEvidence& evidence, int rounds, VariantCheck& check);

Result<Verification> verify(const Workload& workload, const CellSpec& spec,
                            const std::function<void(const std::string&)>& announce);

}  // namespace aisp::harness
