// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/raise_ceilings.h"

#include "aisp/core/registry.h"

namespace aisp::cli {

bool raise_ceilings(const CellResult& cell, Ceilings& ceilings) {
  const Ceilings measured_with = ceilings;
  bool raised = false;
  for (const VariantResult& v : cell.variants) {
    const Ceiling* bound = measured_with.find_bound(v.ceiling);
    if (v.validity != Validity::valid || !v.percent_of_ceiling || bound == nullptr) continue;
    const double rate = bound->value * *v.percent_of_ceiling / 100;
    raised = raise(ceilings, v.ceiling, rate, cell.workload + " " + v.name) || raised;
  }
  return raised;
}

bool raised_by_workload(const Ceiling& ceiling) {
  const std::string id = ceiling.probe.substr(0, ceiling.probe.find(' '));
  return Registry::instance().find(id) != nullptr;
}

void carry_over(const Ceilings& earlier, Ceilings& fresh) {
  for (Ceiling& now : fresh.entries) {
    const Ceiling* then = earlier.find(now.name, now.level, now.threads);
    if (then == nullptr || then->unit != now.unit || !raised_by_workload(*then)) continue;
    if (!(then->value > now.value)) continue;
    now.value = then->value;
    now.probe = then->probe;
  }
}

}  // namespace aisp::cli
