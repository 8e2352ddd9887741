// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/verify.h"

#include <algorithm>

#include "aisp/core/configuration.h"
#include "aisp/device/cpu/pinned_team.h"
#include "aisp/harness/answer_ledger.h"
#include "aisp/harness/checker_trial.h"
#include "aisp/harness/free_memory.h"
#include "aisp/harness/gpu_verify.h"
#include "aisp/harness/seed.h"
#include "aisp/harness/tensor_set.h"
#include "aisp/harness/variant_runner.h"

namespace aisp::harness {

bool Verification::passed() const {
  const bool right = std::ranges::all_of(variants, [](const VariantCheck& v) { return v.problem.empty(); });
  const bool tested = std::ranges::any_of(mutants, [](const MutantCheck& m) { return m.rejected; });
  return right && tested &&
         std::ranges::all_of(mutants, [](const MutantCheck& m) { return m.rejected || !m.skipped.empty(); });
}

bool Verification::skipped() const {
  return !variants.empty() &&
         std::ranges::all_of(variants, [](const VariantCheck& v) { return !v.skipped.empty(); });
}

void describe_answers(const AnswerEvidence& evidence, int rounds, VariantCheck& check) {
  check.worst_error = evidence.worst_error;
  if (evidence.wrong + evidence.out_of_bounds + evidence.inputs_changed > 0) {
    check.problem = std::to_string(evidence.wrong) + " of " + std::to_string(rounds) +
                    " answers wrong: " + evidence.first_wrong;
  } else if (evidence.unanswered + evidence.answered_twice > 0) {
    check.problem = std::to_string(evidence.unanswered) + " requests unanswered, " +
                    std::to_string(evidence.answered_twice) + " improper answers";
  }
}

namespace {

/// A variant, and what it answered so far.
struct Examinee {
  const Variant& variant;
  VariantCheck& check;
  std::unique_ptr<VariantRunner> runner;
  AnswerLedger ledger{};
};

}  // namespace

Result<Verification> verify(const Workload& workload, const CellSpec& spec,
                            const std::function<void(const std::string&)>& announce) {
  const Params params = spec.sizes();
  announce("");
  const Problem problem = workload.problem(params);
  if (const Status valid = validate(problem); !valid) return valid.error();
  if (const Status fits = fits_memory(needed_bytes(problem), spec.memory_limit); !fits) return fits.error();
  if (workload.device != DeviceKind::cpu) return verify_on_gpu(workload, spec, problem, announce);
  const Seed seed = Seed::draw();
  device::PinnedTeam team(threads_of(params), {.pin_caller = spec.pin});
  std::vector<std::unique_ptr<TensorSet>> sets;
  sets.push_back(std::make_unique<TensorSet>(problem, params, false));
  TensorSet& set = *sets.front();
  const int rounds = problem.families() + 2;  // each family after another, and stale answers from the start
  Verification result{.workload = workload.id, .parameters = params.text(), .rounds = rounds};
  result.variants.reserve(workload.variants.size());  // examinees keep references
  Answers right, stale;
  probes::ProcessProbe probe;
  const Variant* tester = nullptr;

  std::vector<Examinee> examinees;
  for (const Variant& variant : workload.variants) {
    if (!is_chosen(spec.variants, variant.name)) continue;
    VariantCheck& check = result.variants.emplace_back(VariantCheck{.variant = variant.name});
    announce(variant.name);
    check.skipped = why_unavailable(variant, params).value_or("");
    if (!check.skipped.empty()) continue;
    auto runner = std::make_unique<VariantRunner>(workload, variant, params, team, spec.scratch);
    runner->prepare();
    examinees.push_back({variant, check, std::move(runner)});
  }

  // All variants answer the same round before the next begins: the right answer is what takes long.
  for (int round = 0; round < rounds && !examinees.empty(); ++round) {
    const auto pose = [&] {
      set.draw(seed, round, 0);
      set.arm(seed.stream("poison", round));
    };
    announce("");
    Rng rng(seed.stream("check", round));
    pose();
    const CheckSetup setup{params, problem, set.inputs(), set.state(), rng};
    const auto checker = make_checker(workload, setup);
    for (Examinee& examinee : examinees) {
      const auto& [variant, check, runner, ledger] = examinee;
      announce(variant.name);
      pose();
      const Window window = runner->run(sets, probe);
      examinee.ledger.evidence().unanswered += window.unanswered;
      examinee.ledger.evidence().answered_twice += window.improper_answers;
      examinee.ledger.record(set, 0, *checker);
      // The checkers are tested on every family, with the answers of the first variant that is right.
      const AnswerEvidence& e = ledger.evidence();
      if (e.wrong + e.out_of_bounds + e.inputs_changed + e.unanswered + e.answered_twice > 0) continue;
      if ((tester == nullptr || tester == &variant) && round >= rounds - problem.families()) {
        tester = &variant;
        right = copy_outputs(set);
        try_checker({problem, set, *checker, right, stale}, result.mutants);
        // A check of the workload's own, which large sizes rely on, is tested at every size.
        if (const auto own = workload.check ? workload.check(setup) : nullptr) {
          if (const CheckOutcome outcome = own->check(set.outputs()); outcome.wrong > 0) {
            check.problem = "the workload's check refuses a right answer: " + outcome.first;
          }
          try_checker({problem, set, *own, right, stale}, result.mutants);
        }
      }
      stale = copy_outputs(set);
    }
  }
  for (const Examinee& examinee : examinees)
    describe_answers(examinee.ledger.evidence(), rounds, examinee.check);
  return result;
}

}  // namespace aisp::harness
