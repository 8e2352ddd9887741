// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/ladder.h"

namespace aisp {

Workload on_ladder(const Workload& workload, const Ladder& ladder) {
  Workload joined = workload;
  joined.device = ladder.device;
  joined.bound = ladder.bound.value_or(workload.bound);
  joined.axes = ladder.axes;
  joined.device_reference = ladder.reference;
  joined.device_draws = ladder.draws;
  joined.variants = ladder.variants;
  joined.source = ladder.source;
  return joined;
}

}  // namespace aisp
