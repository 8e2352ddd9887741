// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "aisp/device/cpu/peak.h"

namespace aisp::device {
namespace {

/// A nearer level holds less. 0 stands for "any amount", the farthest.
bool nearer(const Ceiling& a, const Ceiling& b) {
  if (b.working_set_bytes == 0) return a.working_set_bytes != 0;
  return a.working_set_bytes != 0 && a.working_set_bytes < b.working_set_bytes;
}

}  // namespace

void make_consistent(Ceilings& ceilings) {
  for (Ceiling& low : ceilings.entries) {
    for (const Ceiling& high : ceilings.entries) {
      if (low.name != high.name || low.unit != high.unit || low.unit == "ns" || !(high.value > low.value))
        continue;
      const bool farther = low.threads == high.threads && low.unit == "B/s" && nearer(low, high);
      const bool fewer = low.level == high.level && high.threads < low.threads;
      if (!farther && !fewer) continue;
      low.value = high.value;
      low.probe = high.probe + "; seen at " + high.level + ", " + std::to_string(high.threads) +
                  (high.threads == 1 ? " thread" : " threads");
    }
  }
}

}  // namespace aisp::device
