// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/contestant.h"

#include <bit>

namespace aisp::harness {

ClosedVariant close_contestant(const Contestant& contestant, const ClosingFacts& facts) {
  const auto& clock = device::Clock::instance();
  Evidence evidence{.workload = facts.workload.id,
                    .variant = contestant.opened->name,
                    .shape = facts.workload.shape,
                    .threads = facts.threads};
  evidence.answers = contestant.answers.evidence();
  evidence.answers.family_mask = contestant.families;
  evidence.answers.families = std::popcount(contestant.families);
  evidence.answers.distinct_inputs = facts.fresh_rounds;
  evidence.timing = {.clock_resolution_ns = clock.resolution_ns(),
                     .clock_cost_ns = clock.cost_ns(),
                     .shortest_window_ns = contestant.shortest_window_ns,
                     .clock_disagreement_ppm = clock.disagreement_ppm(facts.clock_start)};
  evidence.process = contestant.probe.evidence();
  evidence.process.threads_before = contestant.threads_before;
  evidence.process.threads_after = contestant.threads_before + contestant.threads_kept;
  evidence.process.finish_share = contestant.finish_share;
  probes::record_system(facts.system_start, facts.system_end, evidence.process, evidence.environment);
  ClosedVariant closed{.name = contestant.opened->name, .evidence = std::move(evidence)};
  for (const auto& [name, sum] : contestant.metrics)
    closed.metrics.emplace_back(name, sum.first / sum.second);
  return closed;
}

}  // namespace aisp::harness
