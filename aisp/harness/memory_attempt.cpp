// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/memory_attempt.h"

#include <algorithm>
#include <optional>

#include "aisp/device/cpu/pinned_team.h"
#include "aisp/harness/answer_ledger.h"
#include "aisp/harness/free_memory.h"
#include "aisp/harness/variant_runner.h"
#include "aisp/probes/memory_probe.h"

namespace aisp::harness {
namespace {

constexpr int kCalls = 4;  // twice through two families; a first call may be unlike the others

void keep_larger(std::optional<double>& into, const std::optional<double>& from) {
  if (from) into = std::max(into.value_or(0), *from);
}

}  // namespace

Result<MemoryReport> measure_memory(const Workload& workload, const CellSpec& spec,
                                    const std::function<void(const std::string&)>& announce) {
  const Params params = spec.sizes();
  const std::string name = spec.variants.empty() ? workload.variants.front().name : spec.variants.front();
  const auto variant = std::ranges::find(workload.variants, name, &Variant::name);
  if (variant == workload.variants.end()) return Error{ErrorCode::bad_input, "no variant '" + name + "'", ""};
  const Problem problem = workload.problem(params);
  if (const Status fits = fits_memory(needed_bytes(problem), spec.memory_limit); !fits) return fits.error();
  device::PinnedTeam team(threads_of(params), {.pin_caller = spec.pin});
  std::vector<std::unique_ptr<TensorSet>> sets;
  sets.push_back(std::make_unique<TensorSet>(problem, params, spec.huge_pages));
  TensorSet& set = *sets.front();
  const Seed seed = Seed::draw();
  probes::ProcessProbe process;
  MemoryReport report;
  AnswerLedger answers;
  std::optional<VariantRunner> runner;
  for (int call = 0; call < kCalls; ++call) {
    announce("");  // draws and references are the workload's
    set.draw(seed, call, 0);
    set.arm(seed.stream("poison", call));
    announce(name);
    probes::MemoryProbe memory;
    memory.before();
    if (!runner) {  // the plan counts with the first call
      runner.emplace(workload, *variant, params, team, spec.scratch);
      runner->prepare();
    }
    const Window window = runner->run(sets, process);
    const MemoryFigures figures = memory.after();
    keep_larger(report.figures.peak_bytes, figures.peak_bytes);
    keep_larger(report.figures.current_bytes, figures.current_bytes);
    keep_larger(report.figures.reserved_bytes, figures.reserved_bytes);
    // Checked after the figures were read: the reference's memory is not the variant's.
    answers.evidence().unanswered += window.unanswered;
    answers.evidence().answered_twice += window.improper_answers;
    announce("");
    Rng rng(seed.stream("check", call));
    answers.record(set, 0, *make_checker(workload, {params, problem, set.inputs(), set.state(), rng}));
  }
  report.answers = answers.evidence();
  return report;
}

}  // namespace aisp::harness
