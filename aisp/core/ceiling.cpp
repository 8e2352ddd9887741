// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/ceiling.h"

#include <algorithm>

namespace aisp {
namespace {

/// How much data a level holds; what holds any amount sorts last.
double capacity(const Ceiling& c) { return c.working_set_bytes == 0 ? 1e300 : c.working_set_bytes; }

/// The number of threads to look under: this one, or the next larger one among the entries that count.
template <class Counts>
int measured_threads(int threads, const Ceilings& ceilings, const Counts& counts) {
  int found = 0;
  for (const Ceiling& c : ceilings.entries) {
    if (c.threads < threads || !counts(c)) continue;
    if (found == 0 || c.threads < found) found = c.threads;
  }
  return found;
}

/// The highest bandwidth among the entries that count, at the smallest level that holds the working set.
template <class Counts>
const Ceiling* fastest(double working_set, int threads, const Ceilings& ceilings, const Counts& counts) {
  const int measured = measured_threads(threads, ceilings, counts);
  const Ceiling* best = nullptr;
  for (const Ceiling& c : ceilings.entries) {
    if (!counts(c) || c.threads != measured || capacity(c) < working_set) continue;
    if (best == nullptr || capacity(c) < capacity(*best) ||
        (capacity(c) == capacity(*best) && c.value > best->value))
      best = &c;
  }
  return best;
}

/// Work that does not say which way its bytes go is bounded by the fastest kind of traffic: its floor must
/// not be beaten by choosing a friendlier mix of reads and writes.
const Ceiling* bandwidth_for(Traffic traffic, double working_set, int threads, const Ceilings& ceilings) {
  const auto any = [](const Ceiling& c) { return c.unit == "B/s"; };
  const auto same = [&](const Ceiling& c) { return any(c) && c.name == name_of(traffic); };
  if (traffic != Traffic::any)
    if (const Ceiling* found = fastest(working_set, threads, ceilings, same)) return found;
  return fastest(working_set, threads, ceilings, any);
}

/// The fastest unit that may do it: ordinary arithmetic, or the matrix units of a GPU, on which single
/// precision is put together from products of "tf32".
const Ceiling* arithmetic_for(DType math, int threads, const Ceilings& ceilings) {
  const std::string type(name_of(math));
  const std::string on_matrix_units = math == DType::f32 ? "tf32" : type;
  const auto counts = [&](const Ceiling& c) {
    return (c.name == "fma" && c.level == type) || (c.name == "matmul" && c.level == on_matrix_units);
  };
  const int measured = measured_threads(threads, ceilings, counts);
  const Ceiling* best = nullptr;
  for (const Ceiling& c : ceilings.entries) {
    if (counts(c) && c.threads == measured && (best == nullptr || c.value > best->value)) best = &c;
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

const Ceiling* Ceilings::find_bound(const std::string& bound) const {
  const auto found = std::ranges::find_if(entries, [&](const Ceiling& c) { return name_of(c) == bound; });
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
  consider(work.bytes, bandwidth_for(work.traffic, working_set_bytes, threads, ceilings));
  consider(work.flops, arithmetic_for(work.math, threads, ceilings));
  return floor;
}

std::string bound_on(std::string_view device, std::string bound) {
  const std::size_t comma = bound.rfind(", ");
  if (device.starts_with("cpu") || comma == std::string::npos) return bound;
  const std::string_view last = std::string_view(bound).substr(comma + 2);
  const std::string_view unit = last.substr(std::min(last.find_first_not_of("0123456789"), last.size()));
  if (unit.size() < last.size() && (unit == " thread" || unit == " threads")) bound.resize(comma);
  return bound;
}

bool raise(Ceilings& ceilings, const std::string& bound, double rate, const std::string& by) {
  for (Ceiling& ceiling : ceilings.entries) {
    if (name_of(ceiling) != bound || !(rate > ceiling.value)) continue;
    ceiling.value = rate;
    ceiling.probe = by;
    return true;
  }
  return false;
}

}  // namespace aisp
