// SPDX-License-Identifier: Apache-2.0
#include "fake_cache.h"

namespace aisp::harness {

FakeCache& fake_cache() {
  static FakeCache one;
  return one;
}

void FakeCache::read(const void* begin, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uint64_t>(begin) / kSectorBytes;
  const auto last = (reinterpret_cast<std::uint64_t>(begin) + bytes + kSectorBytes - 1) / kSectorBytes;
  const std::lock_guard lock(mutex_);
  for (std::uint64_t sector = first; sector < last; ++sector) {
    ++traffic_.sectors;
    if (!held_.insert(sector).second) ++traffic_.hits;
  }
}

void FakeCache::flush() {
  const std::lock_guard lock(mutex_);
  held_.clear();
}

FakeTraffic FakeCache::traffic() {
  const std::lock_guard lock(mutex_);
  return traffic_;
}

}  // namespace aisp::harness
