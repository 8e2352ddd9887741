// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/raise_ceilings.h"

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

}  // namespace aisp::cli
