// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/memory_attempt.h"

#include <algorithm>

#include "aisp/device/cpu/pinned_team.h"
#include "aisp/harness/free_memory.h"
#include "aisp/harness/variant_runner.h"
#include "aisp/probes/memory_probe.h"

namespace aisp::harness {

Result<MemoryFigures> measure_memory(const Workload& workload, const CellSpec& spec,
                                     const std::function<void(const std::string&)>& announce) {
  const Params params = spec.sizes();
  const std::string name = spec.variants.empty() ? workload.variants.front().name : spec.variants.front();
  const auto variant = std::ranges::find(workload.variants, name, &Variant::name);
  if (variant == workload.variants.end()) return Error{ErrorCode::bad_input, "no variant '" + name + "'", ""};
  announce(name);
  const Problem problem = workload.problem(params);
  if (const Status fits = fits_memory(problem); !fits) return fits.error();
  device::PinnedTeam team(threads_of(params), {.pin_caller = spec.pin});
  std::vector<std::unique_ptr<TensorSet>> sets;
  sets.push_back(std::make_unique<TensorSet>(problem, params, spec.huge_pages));
  const Seed seed = Seed::draw();
  sets.front()->draw(seed, 0, 0);
  sets.front()->arm(seed.stream("poison", 0));
  probes::ProcessProbe process;
  probes::MemoryProbe memory;
  memory.before();
  VariantRunner runner(workload, *variant, params, team, spec.scratch);
  runner.prepare();
  runner.run(sets, process);
  return memory.after();
}

}  // namespace aisp::harness
