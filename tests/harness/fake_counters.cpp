// SPDX-License-Identifier: Apache-2.0
#include "fake_counters.h"

#include <algorithm>

#include "fake_cache.h"
#include "fake_gpu.h"

namespace aisp::harness {
namespace {

constexpr int kPasses = 2;

}  // namespace

std::optional<std::string> FakeCounters::open(const std::vector<device::CounterGroup>& groups) {
  using device::CounterGroup;
  if (!fake_faults().counts) return "threads have no counters";
  const auto common = [](CounterGroup g) { return g == CounterGroup::traffic || g == CounterGroup::cache; };
  if (fake_faults().counts_little && !std::ranges::all_of(groups, common)) return "not all of them at once";
  return std::nullopt;
}

device::Counters FakeCounters::measure(const std::function<void()>& call,
                                       const std::function<void()>& before_pass) {
  FakeTraffic sum;
  for (int pass = 0; pass < kPasses; ++pass) {
    if (before_pass) before_pass();
    const FakeTraffic before = fake_cache().traffic();
    call();
    const FakeTraffic after = fake_cache().traffic();
    sum.sectors += after.sectors - before.sectors;
    sum.hits += after.hits - before.hits;
  }
  if (fake_faults().counting_fails)
    throw device::GpuError(device::GpuFault::other, "counting: the device refused");
  const auto missed = static_cast<double>(sum.sectors - sum.hits);
  device::Counters counters{.dram_read_bytes = missed * FakeCache::kSectorBytes / kPasses, .passes = kPasses};
  if (sum.sectors > 0)
    counters.l2_hit_rate = static_cast<double>(sum.hits) / static_cast<double>(sum.sectors);
  return counters;
}

}  // namespace aisp::harness
