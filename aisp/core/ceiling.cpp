// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/ceiling.h"

#include <algorithm>

namespace aisp {
namespace {

/// The highest bandwidth of any kind at the smallest level that holds the working set: a floor must not be
/// beaten by choosing a friendlier mix of reads and writes.
const Ceiling* bandwidth_for(double working_set, int threads, const Ceilings& ceilings) {
  double smallest_level = 0;
  for (const Ceiling& c : ceilings.entries) {
    if (c.unit != "B/s" || c.threads != threads) continue;
    const bool holds = c.working_set_bytes == 0 || c.working_set_bytes >= working_set;
    if (!holds) continue;
    const double size = c.working_set_bytes == 0 ? 1e300 : c.working_set_bytes;
    if (smallest_level == 0 || size < smallest_level) smallest_level = size;
  }
  const Ceiling* best = nullptr;
  for (const Ceiling& c : ceilings.entries) {
    if (c.unit != "B/s" || c.threads != threads) continue;
    const double size = c.working_set_bytes == 0 ? 1e300 : c.working_set_bytes;
    if (size < smallest_level) continue;
    if (size == smallest_level && (best == nullptr || c.value > best->value)) best = &c;
  }
  return best;
}

std::string name_of(const Ceiling& ceiling) {
  return ceiling.name + " of " + ceiling.level + ", " + std::to_string(ceiling.threads) +
         (ceiling.threads == 1 ? " thread" : " threads");
}

}  // namespace

const Ceiling* Ceilings::find(const std::string& name, const std::string& level, int threads) const {
  const auto found = std::ranges::find_if(
      entries, [&](const Ceiling& c) { return c.name == name && c.level == level && c.threads == threads; });
  return found == entries.end() ? nullptr : &*found;
}

std::optional<Floor> floor_of(const Work& work, double working_set_bytes, int threads,
                              const Ceilings& ceilings) {
  std::optional<Floor> floor;
  const auto consider = [&](double amount, const Ceiling* ceiling) {
    if (amount <= 0 || ceiling == nullptr || !(ceiling->value > 0)) return;
    const double ns = amount / ceiling->value * 1e9;
    if (floor && floor->ns >= ns) return;
    floor = Floor{ns, name_of(*ceiling)};
  };
  consider(work.bytes, bandwidth_for(working_set_bytes, threads, ceilings));
  consider(work.flops, ceilings.find("fma", std::string(name_of(work.math)), threads));
  return floor;
}

bool raise(Ceilings& ceilings, const std::string& bound, double factor, const std::string& by) {
  for (Ceiling& ceiling : ceilings.entries) {
    if (name_of(ceiling) != bound) continue;
    ceiling.value *= factor;
    ceiling.probe = by;
    return true;
  }
  return false;
}

}  // namespace aisp
