// SPDX-License-Identifier: Apache-2.0
/// \file
/// Barriers of arrivals and bytes, emulated.
#pragma once

#include "words.h"

namespace aisp::hopper {

inline std::uint32_t shared_address(const void* pointer) { return emulated::address_of(pointer); }

/// The counter under an address of the cluster.
inline emulated::Counter& counter_at(std::uint32_t address) {
  return emulated::block_of(address).barrier(address);
}

class Barrier {
 public:
  void init(unsigned arrivals) {
    const auto count = static_cast<int>(arrivals);
    emulated::monitor().change([&] { counter_at(address()) = {.expected = count, .pending = count}; });
  }
  void arrive() { arrive_at(emulated::self().block->rank); }
  void arrive_expecting(unsigned bytes) {
    emulated::monitor().change([&] {
      emulated::Counter& counter = counter_at(address());
      counter.bytes += bytes;
      counter.arrive();
    });
  }
  void arrive_at(unsigned rank) {
    emulated::before_others("arriving");
    emulated::monitor().change([&] { counter_at((address() & 0xffffff) | rank << 24).arrive(); });
  }
  void release_at(unsigned rank) { arrive_at(rank); }
  void wait(unsigned parity) const {
    emulated::Counter* counter = nullptr;
    emulated::monitor().change([&] { counter = &counter_at(address()); });
    emulated::monitor().wait(*counter->changed, [&] { return (counter->phase & 1) != parity; }, "a barrier");
    emulated::after_others();
  }
  void wait_for_cluster(unsigned parity) const { wait(parity); }
  std::uint32_t address() const { return shared_address(&state_); }

 private:
  alignas(8) std::uint64_t state_;
};

inline void fence_barriers() {}
inline void fence_writes_for_engines() {}

}  // namespace aisp::hopper
