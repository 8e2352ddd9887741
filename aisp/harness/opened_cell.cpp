// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/opened_cell.h"

#include <utility>

namespace aisp::harness {

Opened opened_cell(const Workload& workload, const Problem& problem, std::string seed_commitment) {
  return {.title = workload.title,
          .shape = workload.shape,
          .goal = workload.goal,
          .bound = workload.bound,
          .tensor_bytes = static_cast<double>(problem.bytes()),
          .work_bytes = problem.work.bytes,
          .work_flops = problem.work.flops,
          .work_items = problem.work.items,
          .math = std::string(name_of(problem.work.math)),
          .traffic = std::string(name_of(problem.work.traffic)),
          .families = problem.families(),
          .latency_objective_ns = workload.latency_objective_ns,
          .seed_commitment = std::move(seed_commitment)};
}

}  // namespace aisp::harness
