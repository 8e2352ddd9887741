// SPDX-License-Identifier: Apache-2.0
/// \file
/// The last-level cache of the GPU that is made of threads, and what its counters count: a kernel whose
/// traffic matters reads through it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>

namespace aisp::harness {

struct FakeTraffic {
  std::uint64_t sectors = 0;  ///< asked of the cache
  std::uint64_t hits = 0;     ///< found there; the others came from memory
};

class FakeCache {
 public:
  static constexpr std::uint64_t kSectorBytes = 32;

  void read(const void* begin, std::size_t bytes);
  void flush();
  /// Since the process began.
  FakeTraffic traffic();

 private:
  std::mutex mutex_;
  std::set<std::uint64_t> held_;
  FakeTraffic traffic_;
};

/// One for all streams of the process.
FakeCache& fake_cache();

}  // namespace aisp::harness
