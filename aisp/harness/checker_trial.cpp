// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/checker_trial.h"

#include <cstring>

#include "aisp/harness/mutants.h"

namespace aisp::harness {

Answers copy_outputs(const TensorSet& set) {
  Answers copies;
  for (const TensorView& output : set.outputs())
    copies.emplace_back(output.data, output.data + output.bytes());
  return copies;
}

void try_checker(const CheckerTrial& trial, std::vector<MutantCheck>& results) {
  const auto& [problem, set, checker, right, stale, also_rejects] = trial;
  std::vector<const TensorSpec*> outputs;
  for (const TensorSpec& spec : problem.tensors) {
    if (spec.role == Role::output) outputs.push_back(&spec);
  }
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    const TensorView& answer = set.outputs()[o];
    const auto restore = [&, &original = right[o]] {
      std::memcpy(answer.data, original.data(), original.size());
    };
    for (const Mutant& mutant : mutants()) {
      restore();
      MutantCheck check{.mutant = mutant.name, .output = outputs[o]->name};
      check.skipped = mutant.apply({*outputs[o], answer, o, set.inputs(), stale[o], checker}).value_or("");
      if (check.skipped.empty() && std::memcmp(answer.data, right[o].data(), right[o].size()) == 0) {
        check.skipped = "leaves this answer unchanged";
      }
      if (check.skipped.empty()) {
        check.rejected = checker.check(set.outputs()).wrong > 0;
        if (also_rejects) check.rejected = also_rejects() && check.rejected;
      }
      results.push_back(std::move(check));
      restore();
    }
  }
}

}  // namespace aisp::harness
