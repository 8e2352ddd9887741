// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

#include <cmath>

namespace aisp::guards {
namespace {

// Pairing inside rounds takes drift out of the ratio, not out of the time: a note. The fact is given only
// where it is significant, so its absence is no unknown.
Finding no_drift_finding(const Evidence& evidence) {
  const auto& drift = evidence.sampling.drift_per_run;
  if (!drift) return pass("no significant drift");
  if (!(std::fabs(*drift) <= kNotableDrift)) {
    return note("the time drifted by " + percent(*drift) + " from first to last",
                "warm caches, heat or a busy neighbour: the ratio holds, the absolute time less so");
  }
  return pass("drift of " + percent(*drift));
}

}  // namespace

constexpr Guard no_drift{
    .id = "no_drift",
    .question = "Did the time stay the same from the first round to the last?",
    .issues = {74, 85},
    .required_from = Policy::portable,
    .judge = no_drift_finding,
};

}  // namespace aisp::guards
