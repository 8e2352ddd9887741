// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/gpu_verify.h"

#include <algorithm>

#include "aisp/core/configuration.h"
#include "aisp/harness/checker_trial.h"
#include "aisp/harness/gpu_checker.h"
#include "aisp/harness/gpu_variant.h"
#include "aisp/harness/notice_board.h"

namespace aisp::harness {
namespace {

/// A set on the device, and the same tensors on the host.
class Mirrored {
 public:
  Mirrored(device::Gpu& gpu, const Workload& workload, const Problem& problem, const Params& params)
      : memory_(gpu.memory()), host_(problem, params, false) {
    device_.push_back(std::make_unique<GpuTensorSet>(gpu, workload, problem, params));
  }
  GpuTensorSet& device() { return *device_.front(); }
  GpuVariant::Sets sets() const { return device_; }
  const TensorSet& host() const { return host_; }

  void fetch_inputs() { copy(host_.inputs(), device_.front()->inputs()); }
  void fetch_outputs() { copy(host_.outputs(), device_.front()->outputs()); }
  void send_outputs() {
    for (std::size_t i = 0; i < host_.outputs().size(); ++i) {
      const TensorView& from = host_.outputs()[i];
      memory_.upload(device_.front()->outputs()[i].data, from.data, from.bytes());
    }
  }

 private:
  void copy(std::span<const TensorView> to, std::span<const TensorView> from) {
    for (std::size_t i = 0; i < to.size(); ++i) memory_.download(to[i].data, from[i].data, to[i].bytes());
  }

  device::GpuMemory& memory_;
  TensorSet host_;
  std::vector<std::unique_ptr<GpuTensorSet>> device_;
};

/// A variant, and what it answered so far.
struct GpuExaminee {
  const Variant& variant;
  VariantCheck& check;
  std::unique_ptr<GpuVariant> runner;
  AnswerLedger ledger{};
};

}  // namespace

Result<Verification> verify_on_gpu(const Workload& workload, const CellSpec& spec, const Problem& problem,
                                   const std::function<void(const std::string&)>& announce) {
  const Params params = spec.sizes();
  Result<std::unique_ptr<device::Gpu>> opened = device::open_gpu(spec.device);
  if (!opened) return opened.error();
  device::Gpu& gpu = **opened;
  const Seed seed = Seed::draw();
  device::PinnedTeam team(1, {.pin_caller = spec.pin});
  Mirrored set(gpu, workload, problem, params);
  GpuChecker on_device(gpu, workload, problem, params);
  const int rounds = problem.families() + 2;  // each family after another, and stale answers from the start
  Verification result{.workload = workload.id, .parameters = params.text(), .rounds = rounds};
  result.variants.reserve(workload.variants.size());  // examinees keep references
  Answers right, stale;
  const Variant* tester = nullptr;
  const auto waits = [&](const Variant& variant) {
    return [&announce, &variant] { announce(still_on_device(variant.name)); };
  };

  std::vector<GpuExaminee> examinees;
  for (const Variant& variant : workload.variants) {
    if (!is_chosen(spec.variants, variant.name)) continue;
    VariantCheck& check = result.variants.emplace_back(VariantCheck{.variant = variant.name});
    announce(variant.name);
    check.skipped = why_unavailable(variant, params).value_or("");
    if (!check.skipped.empty()) continue;
    // Nothing is timed.
    auto runner = std::make_unique<GpuVariant>(gpu, variant, params, team, Instrument::call);
    runner->prepare();
    waits(variant)();
    gpu.timing().run([](void*) {});
    examinees.push_back({variant, check, std::move(runner)});
  }

  // All variants answer the same round before the next begins: the right answer is what takes long.
  for (int round = 0; round < rounds && !examinees.empty(); ++round) {
    const auto pose = [&] {
      set.device().draw(seed, round, 0, round % problem.families());
      set.device().arm(seed.stream("poison", round));
    };
    announce("");
    Rng rng(seed.stream("check", round));
    pose();
    set.fetch_inputs();
    const auto checker = make_checker(workload, {params, problem, set.host().inputs(), {}, rng});
    on_device.find_answer(set.device());
    for (GpuExaminee& examinee : examinees) {
      const auto& [variant, check, runner, ledger] = examinee;
      announce(variant.name);
      pose();
      runner->run(set.sets(), waits(variant));
      announce(variant.name);
      set.fetch_outputs();
      Inspection answer = on_device.inspect(set.device());
      const CheckOutcome by_host = checker->check(set.host().outputs());
      if ((by_host.wrong > 0) != (answer.outcome.wrong > 0)) {
        check.problem = by_host.wrong > 0
                            ? "the device's check accepts what the host's refuses: " + by_host.first
                            : "the device's check refuses what the host's accepts: " + answer.outcome.first;
      }
      answer.outcome.wrong = std::max(answer.outcome.wrong, by_host.wrong);
      examinee.ledger.record(answer, 0);
      const AnswerEvidence& e = ledger.evidence();
      if (e.wrong + e.out_of_bounds + e.inputs_changed > 0) continue;
      if ((tester == nullptr || tester == &variant) && round >= rounds - problem.families()) {
        tester = &variant;
        right = copy_outputs(set.host());
        try_checker({problem, set.host(), *checker, right, stale,
                     [&] {
                       set.send_outputs();
                       return on_device.inspect(set.device()).outcome.wrong > 0;
                     }},
                    result.mutants);
      }
      stale = copy_outputs(set.host());
    }
  }
  for (const GpuExaminee& examinee : examinees) {
    if (examinee.check.problem.empty()) describe_answers(examinee.ledger.evidence(), rounds, examinee.check);
  }
  return result;
}

}  // namespace aisp::harness
