// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/answer_ledger.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace aisp::harness {
namespace {

bool all_elements_equal(const TensorView& tensor) {
  if (tensor.size < 2) return false;
  const std::size_t width = size_of(tensor.dtype);
  for (std::int64_t i = 1; i < tensor.size; ++i) {
    if (std::memcmp(tensor.data, tensor.data + static_cast<std::size_t>(i) * width, width) != 0) return false;
  }
  return true;
}

bool any_not_finite(const TensorView& tensor) {
  if (!is_floating(tensor.dtype)) return false;
  for (std::int64_t i = 0; i < tensor.size; ++i) {
    if (!std::isfinite(tensor.value(i))) return true;
  }
  return false;
}

}  // namespace

std::unique_ptr<AnswerChecker> make_checker(const Workload& workload, const CheckSetup& setup) {
  const bool slow = workload.reference_is_slow && workload.reference_is_slow(setup.params);
  if (slow && workload.check) return workload.check(setup);
  return make_reference_checker(workload.reference, setup);
}

Inspection inspect_answer(const TensorSet& set, const AnswerChecker& checker) {
  Inspection answer{.damage = set.inspect(),
                    .outcome = checker.check(set.outputs()),
                    .miss_probability = checker.miss_probability(),
                    .checksum = set.output_checksum()};
  if (answer.outcome.wrong > 0) {
    answer.looks = {.constant = std::ranges::any_of(set.outputs(), all_elements_equal),
                    .not_finite = std::ranges::any_of(set.outputs(), any_not_finite)};
  }
  return answer;
}

bool AnswerLedger::record(const Inspection& answer, std::size_t index) {
  const auto& [damage, outcome, miss_probability, looks, checksum] = answer;
  if (previous_.size() <= index) previous_.resize(index + 1, 0);
  ++evidence_.calls;
  if (damage.out_of_bounds) {
    if (evidence_.out_of_bounds++ == 0 && evidence_.first_wrong.empty()) {
      evidence_.first_wrong = "wrote outside " + *damage.out_of_bounds;
    }
  }
  if (damage.inputs_changed) {
    if (evidence_.inputs_changed++ == 0 && evidence_.first_wrong.empty()) {
      evidence_.first_wrong = "changed input " + *damage.inputs_changed;
    }
  }
  ++evidence_.checked;
  evidence_.miss_probability = std::max(evidence_.miss_probability, miss_probability);
  evidence_.worst_error = std::max(evidence_.worst_error, outcome.worst);
  if (outcome.wrong > 0) classify(answer, index);
  previous_[index] = checksum;
  return !damage.inputs_changed;
}

void AnswerLedger::classify(const Inspection& answer, std::size_t index) {
  const Damage& damage = answer.damage;
  if (evidence_.wrong++ == 0) evidence_.first_wrong = answer.outcome.first;
  // A surviving poison word counts only in a wrong answer: a right integer may equal its poison by chance.
  if (damage.poison_left > 0) ++evidence_.unwritten;
  if (damage.poison_left == 0 && answer.looks.not_finite) ++evidence_.not_finite;
  if (answer.looks.constant) ++evidence_.constant;
  if (previous_[index] != 0 && previous_[index] == answer.checksum) ++evidence_.stale;
}

}  // namespace aisp::harness
